// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program: understudy-nvcc vector_add.cu -o vector_add && understudy run -- ./vector_add
#include <cstdio>
#include <vector>

__global__ void add(const float *a, const float *b, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 20;
  std::vector<float> a(n, 1.5f), b(n, 2.0f), sum(n);
  float *deviceA, *deviceB, *deviceSum;
  cudaMalloc(&deviceA, n * sizeof(float));
  cudaMalloc(&deviceB, n * sizeof(float));
  cudaMalloc(&deviceSum, n * sizeof(float));
  cudaMemcpy(deviceA, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(deviceA, deviceB, deviceSum, n);
  cudaMemcpy(sum.data(), deviceSum, n * sizeof(float), cudaMemcpyDeviceToHost);
  if (cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (float value : sum)
    if (value != 3.5f) return 1;
  std::printf("%d sums are right\n", n);
}
