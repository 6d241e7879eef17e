// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 16
//! local 8
//! arg buffer int 16 fill(i)
//! arg buffer int 8
// A histogram in local memory that nobody has cleared: the first of each bin is told.
kernel void count(global const int *in, global int *out) {
  local int bins[4];
  int l = get_local_id(0);
#ifdef FIXED
  if (l < 4) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc(&bins[in[get_global_id(0)] % 4]); //~ uninitialized update: work-items 0-3 of work-groups 0-1
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) out[get_group_id(0) * 4 + l] = bins[l];
}
