// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel divide
//! global 8
//! local 4
//! arg buffer int 8 fill(i - 2)
//! arg buffer int 8
// One divisor is zero.
kernel void divide(global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = in[i] == 0 ? 0 : 100 / in[i];
#else
  out[i] = 100 / in[i]; //~ division by zero: work-item 2 of work-group 0
#endif
}
