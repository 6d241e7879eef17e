// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -w
//! nvcc: -w -G
// Device functions that end without the value that they promise, which nobody uses: nvcc warns, and they return.
#include "../check.h"

__device__ int store(int *values, int value) { values[threadIdx.x] = value; }

struct Stack {
  int *values, depth;
  __device__ bool push(int value) {
    if (depth >= 2) return false;
    values[depth++] = value;
  }
};

__global__ void both(int *stored, int *pushed) {
  store(stored, 3 * threadIdx.x);
  Stack stack{pushed + 2 * threadIdx.x, 0};
  stack.push(threadIdx.x);
  stack.push(threadIdx.x + 100);
  stored[threadIdx.x] += stack.depth;
}

int main() {
  int *values;
  OK(cudaMallocManaged(&values, 3 * 64 * sizeof(int)));
  both<<<1, 64>>>(values, values + 64);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i)
    CHECK(values[i] == 3 * i + 2 && values[64 + 2 * i] == i && values[65 + 2 * i] == i + 100);
  return failures != 0;
}
