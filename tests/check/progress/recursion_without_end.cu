// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel depth
//! global 1
//! local 1
//! arg buffer int 1 fill(4)
// Each level halves what is left, and waits for less than one.
__device__ __noinline__ int levels(int left) {
  volatile int room[16];
  room[left & 15] = left;
#ifdef FIXED
  if (left < 1) return 0;
#else
  if (left < 0) return 0;
#endif
  int below = levels(left / 2); //~? stack overflow: work-item 0 of work-group 0
  return below + (room[left & 15] != 0);
}
extern "C" __global__ void depth(int *out) { out[0] = levels(out[0]); }
