// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel shift
//! global 32
//! local 8
//! arg buffer int 32 fill(i)
//! arg buffer int 32
// The first work-item reads in front of the buffer.
kernel void shift(global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i > 0)
#endif
  out[i] = in[i - 1]; //~ out of bounds read: work-item 0 of work-group 0
}
