// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 128
//! local 64
//! arg buffer uint 128 fill(i)
//! arg buffer uint 2
//! arg local uint 62
// The last work-items have no elements.
kernel void sum(global const uint *in, global uint *out, local uint *tile) {
  uint lid = get_local_id(0);
#ifdef FIXED
  if (lid < 62)
#endif
    tile[lid] = in[get_global_id(0)]; //~ out of bounds write: work-items 62-63 of work-groups 0-1
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
#ifdef FIXED
    if (lid < s && lid + s < 62)
#else
    if (lid < s)
#endif
      tile[lid] += tile[lid + s]; //~ out of bounds read: work-items 30-31 of work-groups 0-1
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    out[get_group_id(0)] = tile[0];
}
