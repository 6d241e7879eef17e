// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel look_up
//! global 8
//! local 8
//! arg buffer int 4 unwritten
//! arg buffer int 8
// Only those that look something up are named.
kernel void look_up(constant int *table, global int *out) {
  int i = get_global_id(0);
  int value = 0;
#ifndef FIXED
  if (i & 1) value = table[i / 2]; //~ read of a buffer that was never written: work-items 1, 3, 5, 7 of work-group 0
#endif
  out[i] = value;
}
