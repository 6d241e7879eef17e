// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel halve
//! global 8
//! local 8
//! arg buffer int 8
// Two work-items have one place.
kernel void halve(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = i;
#else
  out[i / 2] = i; //~ race of two writes: work-items 1, 3, 5, 7 of work-group 0
#endif
}
