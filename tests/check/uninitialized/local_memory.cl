// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel neighbors
//! global 32
//! local 16
//! arg buffer int 32
// Nobody writes the even elements.
kernel void neighbors(global int *out) {
  local int tile[16];
  int i = get_local_id(0);
#ifndef FIXED
  if (i & 1)
#endif
    tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i ^ 1]; //~ uninitialized store: work-items 1, 3, 5, 7, … of work-groups 0-1
}
