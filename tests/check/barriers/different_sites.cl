// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel halves
//! global 8
//! local 8
//! arg buffer int 8
// Two barriers, each for half of the work-group.
kernel void halves(global int *out) {
  local int tile[8];
  int i = get_local_id(0);
  tile[i] = i;
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = i < 6 ? tile[7 - i] : tile[i];
#else
  if (i < 6) {
    barrier(CLK_LOCAL_MEM_FENCE); //~ different barriers: work-items 6-7 of work-group 0
    out[i] = tile[7 - i];
  } else {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[i];
  }
#endif
}
