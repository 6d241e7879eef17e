// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After a reset everything begins anew: variables have the values they were compiled with.
#include "../check.h"

__device__ int counter = 10;
__global__ void count() { ++counter; }

int main() {
  for (int round = 0; round < 3; ++round) {
    int before = 0, after = 0;
    OK(cudaMemcpyFromSymbol(&before, counter, sizeof(int)));
    count<<<1, 1>>>();
    count<<<1, 1>>>();
    OK(cudaMemcpyFromSymbol(&after, counter, sizeof(int)));
    CHECK(before == 10);
    CHECK(after == 12);
    OK(cudaDeviceReset());
  }
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamDestroy(stream));
  OK(cudaDeviceReset());
  int device = -1;
  OK(cudaGetDevice(&device));
  CHECK(device == 0);
  return failures != 0;
}
