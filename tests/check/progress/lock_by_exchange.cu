// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 4
//! local 4
//! arg buffer int 1
//! arg buffer int 1
extern "C" __global__ void count(int *lock, int *out) {
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) { //~ wait that cannot end: work-items 1-3 of work-group 0
      __threadfence();
      ++*(volatile int *)out;
      __threadfence();
#ifdef FIXED
      atomicExch(lock, 0);
#endif
      done = true;
    }
}
