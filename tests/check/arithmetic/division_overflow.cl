// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel negate
//! global 4
//! local 4
//! arg buffer int 4 fill(i == 2 ? -2147483648 : i)
//! arg buffer int 4 fill(-1)
//! arg buffer int 4
// The least number has no negative.
kernel void negate(global const int *a, global const int *b, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i != 2)
#endif
  out[i] = a[i] / b[i]; //~ division overflow: work-item 2 of work-group 0
}
