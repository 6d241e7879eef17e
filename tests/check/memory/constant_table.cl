// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel lookup
//! global 16
//! local 4
//! arg buffer int 16
// The table has 12 elements.
constant int table[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
kernel void lookup(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = table[i % 12];
#else
  out[i] = table[i]; //~ out of bounds read: work-items 0-3 of work-group 3
#endif
}
