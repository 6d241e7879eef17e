// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans from before there was __syncwarp: a warp's threads write and read volatile shared memory in step.
#include "../check.h"

__device__ int scan(int value, volatile int *shared) {
  int place = 2 * threadIdx.x - (threadIdx.x & (warpSize - 1));
  shared[place] = 0; // the last thread's zero is read by the first
  place += warpSize;
  int sum = shared[place] = value;
  shared[place] = sum += shared[place - 1];
  shared[place] = sum += shared[place - 2];
  shared[place] = sum += shared[place - 4];
  shared[place] = sum += shared[place - 8];
  shared[place] = sum += shared[place - 16];
  return shared[place - 1];
}

__global__ void exclusive(int *values) {
  __shared__ int shared[64];
  shared[threadIdx.x] = shared[threadIdx.x + 32] = -1;
  __syncthreads();
  values[threadIdx.x] = scan(values[threadIdx.x], shared);
}

int main() {
  int *values;
  OK(cudaMallocManaged(&values, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) values[i] = i * i + 1;
  exclusive<<<1, 32>>>(values);
  OK(cudaDeviceSynchronize());
  for (int i = 0, sum = 0; i < 32; sum += i * i + 1, ++i) CHECK(values[i] == sum);
  return failures != 0;
}
