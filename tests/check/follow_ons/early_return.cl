// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel reverse
//! global 16
//! local 8
//! arg buffer int 13 fill(i)
//! arg buffer int 16
// Those that have left write nothing for the others.
kernel void reverse(global const int *in, global int *out) {
  local int tile[8];
  int i = get_local_id(0), global_id = get_global_id(0);
#ifdef FIXED
  tile[i] = global_id < 13 ? in[global_id] : 0;
#else
  if (global_id >= 13) return;
  tile[i] = in[global_id];
#endif
  barrier(CLK_LOCAL_MEM_FENCE); //~ barrier not reached by all: work-items 5-7 of work-group 1
  out[global_id] = tile[7 - i]; //~ > uninitialized store: work-items 0-2 of work-group 1
}
