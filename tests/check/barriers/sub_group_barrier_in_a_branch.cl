// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pass
//! options -cl-std=CL3.0
//! global 40
//! local 40
//! arg buffer int 40
// The last sub-group has eight work-items, and one of them goes another way.
kernel void pass(global int *out) {
  local int tile[40];
  int i = get_local_id(0);
  tile[i] = i;
#ifdef FIXED
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#else
  if (i != 35)
    sub_group_barrier(CLK_LOCAL_MEM_FENCE); //~ sub-group function not reached by all: work-items 32-34, 36-39 of work-group 0
#endif
  out[i] = tile[i < 32 ? 31 - i : i];
}
