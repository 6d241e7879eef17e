// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel divide
//! global 4
//! local 4
//! arg buffer int 16 fill(i % 7)
//! arg buffer int 16
// One element of a vector is enough.
kernel void divide(global const int4 *in, global int4 *out) {
  int i = get_global_id(0);
  int4 by = in[i];
#ifdef FIXED
  by = max(by, 1);
#endif
  out[i] = 100 / by; //~ division by zero: work-items 0-1, 3 of work-group 0
}
