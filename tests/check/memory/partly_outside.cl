// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel vectors
//! global 4
//! local 4
//! arg buffer int 15
// The last vector of four begins inside and ends outside.
kernel void vectors(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i < 3)
#endif
  vstore4((int4)(i), i, out); //~ out of bounds write: work-item 3 of work-group 0
}
