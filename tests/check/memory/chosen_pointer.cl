// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel choose
//! global 8
//! local 8
//! arg buffer int 8
//! arg buffer int 4
// Each pointer brings the size of what it points into.
kernel void choose(global int *large, global int *small) {
  int i = get_global_id(0);
  global int *p = i & 1 ? large : small;
#ifdef FIXED
  p[i / 2] = 1;
#else
  p[i] = 1; //~ out of bounds write: work-items 4, 6 of work-group 0
#endif
}
