// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels print comes with what the host waits for.
//! output: thread 3 of block 1: 2.50
//! output: done
#include "../check.h"

__global__ void say(float x) {
  if (threadIdx.x == 3 && blockIdx.x == 1) printf("thread %d of block %d: %.2f\n", threadIdx.x, blockIdx.x, x);
}

int main() {
  say<<<2, 8>>>(2.5f);
  OK(cudaDeviceSynchronize());
  printf("done\n");
  return failures != 0;
}
