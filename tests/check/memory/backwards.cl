// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel turn
//! global 8
//! local 4
//! arg buffer int 8
//! arg value int 8
// The first place is the last one's.
kernel void turn(global int *out, int count) {
  int i = get_global_id(0);
#ifdef FIXED
  --count;
#endif
  out[count - i] = i; //~ out of bounds write: work-item 0 of work-group 0
}
