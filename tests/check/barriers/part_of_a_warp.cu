// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel meet
//! global 64
//! local 64
//! arg buffer int 64
//! arg value int 40
// The number of threads at a barrier "must be a multiple of warp size".
extern "C" __global__ void meet(int *data, int some) {
  int i = threadIdx.x;
#ifdef FIXED
  some = (some + 31) & ~31;
#endif
  asm volatile("bar.sync 1, %0;" ::"r"(some) : "memory"); //~ barrier for a part of a warp: work-items 0-63 of work-group 0
  data[i] = i;
}
