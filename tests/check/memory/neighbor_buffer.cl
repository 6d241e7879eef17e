// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel walk
//! global 8
//! local 8
//! arg buffer int 16
//! arg buffer int 16
// The address is one of the second buffer, the pointer was made from the first one.
kernel void walk(global int *a, global int *b) {
  int i = get_global_id(0);
  long apart = b - a;
#ifdef FIXED
  b[i] = 1;
#else
  a[apart + i] = 1; //~ out of bounds write: work-items 0-7 of work-group 0
#endif
}
