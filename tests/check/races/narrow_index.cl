// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 512
//! local 512
//! arg buffer int 512
// The number of a place has eight bits.
kernel void fill(global int *out) {
#ifdef FIXED
  ushort i = get_global_id(0);
#else
  uchar i = get_global_id(0);
#endif
  out[i] = get_global_id(0); //~ race of two writes: work-items 256-511 of work-group 0
}
