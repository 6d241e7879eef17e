// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that faults spoils its context: every later call fails.
#include "../check.h"

__device__ int *where;
__device__ int value = 3;
__global__ void fault() { *where = 1; }
__global__ void add(int *to) { *to += value; }

int main() {
  int *good;
  const int result = 4;
  OK(cudaMalloc(&good, sizeof(int)));
  fault<<<1, 1>>>();
  // "The device encountered a load or store instruction on an invalid memory address. This leaves the process in an
  // inconsistent state and any further CUDA work will return the same error."
  EXPECT(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  EXPECT(cudaErrorIllegalAddress, cudaMalloc(&good, 4));
  EXPECT(cudaErrorIllegalAddress, cudaMemcpy(good, &result, sizeof(int), cudaMemcpyHostToDevice));
  add<<<1, 1>>>(good);
  EXPECT(cudaErrorIllegalAddress, cudaGetLastError());
  EXPECT(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return failures != 0;
}
