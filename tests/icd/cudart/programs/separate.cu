// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, device functions and variables in several objects, which are linked when they are used.
//! nvcc: -rdc=true
//! nvcc: -rdc=true -arch=sm_86 -g
//! with: ../parts/helper.cu ../parts/counter.cu
#include "../check.h"
#include "../parts/parts.h"

static __device__ int hidden = 100;
__global__ void compute(int *to) { *to = helper(own) + counter + hidden; }
__device__ int own = 3;

int main() {
  int *device, result = 0;
  OK(cudaMalloc(&device, sizeof(int)));
  compute<<<1, 1>>>(device);
  OK(cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(result == 3 * 10 + 7 + 100);
  count();
  const int more = 200;
  OK(cudaMemcpyToSymbol(hidden, &more, sizeof(more)));
  compute<<<1, 1>>>(device);
  OK(cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(result == 3 * 10 + 8 + 200);
  // The variable of another object, by its name.
  OK(cudaMemcpyFromSymbol(&result, counter, sizeof(result)));
  CHECK(result == 8);
  return failures != 0;
}
