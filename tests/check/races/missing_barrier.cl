// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel reverse
//! global 16
//! local 8
//! arg buffer int 16
// Each reads what another one writes.
kernel void reverse(global int *out) {
  local int tile[8];
  int i = get_local_id(0);
  tile[i] = i; //~ race of a read and a write: work-items 1, 3, 5, 7 of work-groups 0-1
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = tile[i ^ 1]; //~ > uninitialized store: work-items 0, 2, 4, 6 of work-groups 0-1
}
