// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel turn
//! global 16
//! local 16
//! arg buffer int 16
// All of the tile is written, but some of what is written there is nobody's.
kernel void turn(global int *out) {
  local int tile[16];
  int i = get_local_id(0), value;
#ifdef FIXED
  value = 0;
#endif
  if (i < 12) value = i;
  tile[i] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[15 - i]; //~ uninitialized store: work-items 0-3 of work-group 0
}
