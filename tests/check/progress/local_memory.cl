// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sums
//! global 16
//! local 8
//! arg buffer int 16
//! arg local int 16000
// The argument and the variable together are more than there is.
kernel void sums(global int *out, local int *tile) { //~0 too much local memory: 
#ifndef FIXED
  local int rows[1000];
#else
  local int rows[8];
#endif
  rows[get_local_id(0)] = tile[get_local_id(0)] = 1;
  out[get_global_id(0)] = rows[get_local_id(0)] + tile[get_local_id(0)];
}
