// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel swap
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
// The barrier orders local memory, the data is in global memory.
kernel void swap(global int *data) {
  int i = get_local_id(0);
  data[i] = i;
#ifdef FIXED
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  int other = data[7 - i]; //~ race of a read and a write: work-items 0-7 of work-group 0
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[i] = other;
}
