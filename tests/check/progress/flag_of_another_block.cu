// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel chain
//! global 8
//! local 2
//! arg buffer int 5 fill(i == 0)
//! arg buffer int 8
// Each block waits for the one before; block 2 forgets to tell the next.
extern "C" __global__ void chain(volatile int *done, int *out) {
  int block = blockIdx.x;
  if (threadIdx.x == 0) {
    while (done[block] == 0) //~ wait that cannot end: work-items 0-1 of work-group 3
      ;
    __threadfence();
#ifndef FIXED
    if (block != 2)
#endif
      done[block + 1] = 1;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = block;
}
