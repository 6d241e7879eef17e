// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first program of everybody: memory, copies and a launch, with each way to hold the runtime.
//! nvcc:
//! nvcc: --cudart shared
//! nvcc: -arch=sm_86 -O0 -g
//! nvcc: -default-stream per-thread
//! nvcc: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=compute_80
#include "../check.h"
#include <vector>

__global__ void add(const float *a, const float *b, float *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 10000;
  std::vector<float> a(n), b(n), sum(n);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 2 * i;
  float *deviceA, *deviceB, *deviceSum;
  OK(cudaMalloc(&deviceA, n * sizeof(float)));
  OK(cudaMalloc((void **)&deviceB, n * sizeof(float)));
  OK(cudaMalloc(&deviceSum, n * sizeof(float)));
  OK(cudaMemcpy(deviceA, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(deviceB, b.data(), n * sizeof(float), cudaMemcpyDefault));
  add<<<(n + 255) / 256, 256>>>(deviceA, deviceB, deviceSum, n);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(sum.data(), deviceSum, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK(sum[i] == 3.0f * i);
  OK(cudaFree(deviceA));
  OK(cudaFree(deviceB));
  OK(cudaFree(deviceSum));
  OK(cudaFree(nullptr));
  return failures != 0;
}
