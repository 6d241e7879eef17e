// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel first
//! global 8
//! local 4
//! arg local int 8
//! arg buffer int 8
// A group finds nothing of what the one before has written.
kernel void first(local int *tile, global int *out) {
  int i = get_local_id(0);
#ifdef FIXED
  tile[i] = i;
#else
  if (get_group_id(0) == 0) tile[i] = i;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i]; //~ uninitialized store: work-items 0-3 of work-group 1
}
