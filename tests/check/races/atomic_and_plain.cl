// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 8
//! local 8
//! arg buffer int 8
// The counter is read without an atomic operation while others count.
kernel void count(global int *out) {
  local int counter;
  int i = get_local_id(0);
  if (i == 0) counter = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&counter); //~ race of a read and a write: work-items 1-7 of work-group 0
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[i] = counter;
}
