// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pick
//! global 4
//! local 4
//! arg buffer int 4
// Constants lie where pointers from a table say: what those point to is read.
constant int ones[4] = {1, 11, 111, 1111};
constant int twos[4] = {2, 22, 222, 2222};
constant int *constant tables[2] = {ones, twos};
kernel void pick(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  constant int *table = tables[i % 2];
#else
  constant int *table = tables[i]; //~ out of bounds read: work-items 2-3 of work-group 0
  if (i >= 2) return;
#endif
  out[i] = table[i];
}
