// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 128
//! local 64
//! arg buffer uint 128 fill(i)
//! arg buffer uint 2
// Work-item s adds to its own element while work-item 0 reads it.
kernel void sum(global const uint *in, global uint *out) {
  local uint tile[128];
  uint lid = get_local_id(0);
  tile[lid] = in[get_global_id(0)];
  tile[lid + 64] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
#ifdef FIXED
    if (lid < s)
#else
    if (lid <= s)
#endif
      tile[lid] += tile[lid + s]; //~ race of a read and a write: work-items 1-2, 4, 8, 16, … of work-groups 0-1
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    out[get_group_id(0)] = tile[0];
}
