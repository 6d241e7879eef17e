// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel difference
//! global 16
//! local 16
//! arg buffer int 16 fill(i) part
//! arg buffer int 16
// And what lies before it.
kernel void difference(global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = i ? in[i] - in[i - 1] : in[i];
#else
  out[i] = in[i] - in[i - 1]; //~ out of bounds read: work-item 0 of work-group 0
#endif
}
