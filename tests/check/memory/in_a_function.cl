// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel caller
//! global 8
//! local 8
//! arg buffer int 6
// The line of the function is named, not that of its call.
void put(global int *to, int at, int value) {
  to[at] = value; //~ out of bounds write: work-items 6-7 of work-group 0
}
kernel void caller(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i >= 6) return;
#endif
  put(out, i, i % 6);
}
