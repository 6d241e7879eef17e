// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 16
//! local 8
//! arg buffer int 16
// "All work-items in a work-group … must execute this function".
kernel void sum(global int *out) {
  local int tile[8];
  int i = get_local_id(0);
  tile[i] = i;
#ifndef FIXED
  if (get_global_id(0) >= 13) return;
#endif
  barrier(CLK_LOCAL_MEM_FENCE); //~ barrier not reached by all: work-items 5-7 of work-group 1
  out[get_global_id(0)] = tile[7 - i];
}
