// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 256
//! local 64
//! arg buffer uint 256 fill(i)
//! arg buffer uint 4
// Two work-groups have one place for their results.
kernel void sum(global const uint *in, global uint *out) {
  local uint total;
  if (get_local_id(0) == 0)
    total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&total, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef FIXED
  uint place = get_group_id(0);
#else
  uint place = get_group_id(0) / 2;
#endif
  if (get_local_id(0) == 0)
    out[place] = total; //~ race of two writes: work-item 0 of work-group 1; work-item 0 of work-group 3
}
