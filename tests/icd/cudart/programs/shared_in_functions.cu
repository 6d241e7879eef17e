// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory that functions name which are not inlined; kernels that do not name it themselves, and that
// have shared variables of their own before it.
//! nvcc:
//! nvcc: -rdc=true
#include "../check.h"

extern __shared__ int numbers[];
extern __shared__ double doubles[];

__device__ __noinline__ void put(int place, int value) { numbers[place] = value; }
__device__ __noinline__ int get(int place) { return numbers[place]; }
__device__ __noinline__ double sum(int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += doubles[i];
  return total;
}

__global__ void reversed(int *out) {
  __shared__ char before[5];
  before[threadIdx.x % 5] = 1;
  put(threadIdx.x, 10 * threadIdx.x);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = get(blockDim.x - 1 - threadIdx.x) + before[0];
}
__global__ void both(double *out) {
  doubles[threadIdx.x] = threadIdx.x + 0.5;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum(blockDim.x);
}

int main() {
  int *out;
  double *sums;
  OK(cudaMallocManaged(&out, 3 * 64 * sizeof(int)));
  OK(cudaMallocManaged(&sums, 3 * sizeof(double)));
  reversed<<<3, 64, 64 * sizeof(int)>>>(out);
  both<<<3, 64, 64 * sizeof(double)>>>(sums);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3 * 64; ++i) CHECK(out[i] == 10 * (63 - i % 64) + 1);
  for (int i = 0; i < 3; ++i) CHECK(sums[i] == 64 * 63 / 2 + 32);
  return failures != 0;
}
