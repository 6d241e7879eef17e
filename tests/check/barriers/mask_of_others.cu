// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel meet
//! global 64
//! local 64
//! arg buffer int 64
// The first thread goes to the block's barrier, the others of its warp wait for it there. Threads that have ended are
// not waited for, and each warp may come to a barrier elsewhere.
extern "C" __global__ void meet(int *data) {
  int i = threadIdx.x;
  if (i == 63) return;
#ifdef FIXED
  unsigned members = 0xffffffff;
  if (i < 0) {
#else
  unsigned members = 0xffffffff;
  if (i == 0) {
#endif
    asm volatile("barrier.sync 0;" ::: "memory"); //~ different barriers: work-item 0 of work-group 0
  } else {
    __nvvm_bar_warp_sync(members); //~ lane mask of threads that do not come: work-items 1-31 of work-group 0
    asm volatile("barrier.sync 0;" ::: "memory");
  }
  data[i] = i;
}
