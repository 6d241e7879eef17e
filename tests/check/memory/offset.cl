// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 8
//! local 4
//! offset 2
//! arg buffer int 9
// The global offset moves all of them.
kernel void fill(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  i -= get_global_offset(0);
#endif
  out[i] = i; //~ out of bounds write: work-item 3 of work-group 1
}
