// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More shared memory than a block has by default: for kernels that ask for it, up to what the device says.
#include "../check.h"

__global__ void reversed(int *out, int n) {
  extern __shared__ int numbers[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) numbers[i] = 3 * i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = numbers[n - 1 - i];
}
__global__ void asksForNothing(int *out) {
  extern __shared__ int numbers[];
  numbers[threadIdx.x] = out[threadIdx.x];
}

int main() {
  int usual, most;
  OK(cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  // "Kernels relying on shared memory allocations over 48 KB per block … require an explicit opt-in". Of compute
  // capability 8.6 a block has at most 99 KiB, of 8.0 163 and of 9.0 227.
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(usual == 48 << 10);
  CHECK(int(properties.sharedMemPerBlockOptin) == most);
  if (properties.major == 8 && properties.minor == 6) CHECK(most == 99 << 10);
  if (properties.major == 9) CHECK(most == 227 << 10);

  int *out;
  const int n = most / int(sizeof(int)), blocks = 3;
  OK(cudaMallocManaged(&out, blocks * most));
  EXPECT(cudaErrorInvalidValue, cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1));
  OK(cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  (void)cudaGetLastError();
  reversed<<<blocks, 128, most>>>(out, n);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < blocks * n; ++i) CHECK(out[i] == 3 * (n - 1 - i % n));

  asksForNothing<<<1, 32, usual + 1>>>(out);
  EXPECT(cudaErrorInvalidValue, cudaGetLastError());
  reversed<<<1, 32, most + 1>>>(out, n);
  EXPECT(cudaErrorInvalidValue, cudaGetLastError());
  OK(cudaDeviceSynchronize());
  return failures != 0;
}
