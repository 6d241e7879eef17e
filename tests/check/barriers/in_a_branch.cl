// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel some
//! global 8
//! local 8
//! arg buffer int 8
// Half of the work-group goes round the barrier, and ends.
kernel void some(global int *out) {
  local int tile[8];
  int i = get_local_id(0);
  tile[i] = i;
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  if (i < 4)
    barrier(CLK_LOCAL_MEM_FENCE); //~ barrier not reached by all: work-items 4-7 of work-group 0
#endif
  if (i < 4) out[i] = tile[7 - i];
}
