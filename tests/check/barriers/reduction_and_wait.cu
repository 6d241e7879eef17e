// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel meet
//! global 64
//! local 64
//! arg buffer int 64
// "bar.red should not be intermixed with bar.sync or bar.arrive using the same active barrier."
extern "C" __global__ void meet(int *data) {
  int i = threadIdx.x, count = 0;
  if (i < 32) {
    asm volatile("bar.sync 2, 64;" ::: "memory");
  } else {
#ifdef FIXED
    asm volatile("bar.arrive 2, 64;" ::: "memory");
#else
    asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 40; bar.red.popc.u32 %0, 2, 64, p; }" : "=r"(count) : "r"(i) : "memory"); //~ barrier with and without reduction: work-items 32-63 of work-group 0
#endif
  }
  data[i] = count;
}
