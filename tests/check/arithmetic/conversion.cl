// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel convert
//! global 8
//! local 8
//! arg buffer float 8 fill(i * 1000000000.0)
//! arg buffer int 8
// An int holds less than 2^31.
kernel void convert(global const float *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = convert_int_sat(in[i]);
#else
  out[i] = (int)in[i]; //~ conversion out of range: work-items 3-7 of work-group 0
#endif
}
