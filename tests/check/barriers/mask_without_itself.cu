// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 32
//! local 32
//! arg buffer int 32 fill(i)
// "The behavior ... is undefined if the executing thread is not in the membermask."
extern "C" __global__ void sum(int *data) {
  int i = threadIdx.x, x = data[i];
#ifdef FIXED
  unsigned members = 0xffffffff;
#else
  unsigned members = 0x0000ffff;
#endif
  x += __nvvm_shfl_sync_bfly_i32(members, x, 1, 31); //~ lane mask without its own lane: work-items 16-31 of work-group 0
  data[i] = x;
}
