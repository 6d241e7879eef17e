// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel convert
//! global 4
//! local 4
//! arg buffer float 4 fill(i - 1)
//! arg buffer uint 4
// The root of a negative number is none.
kernel void convert(global const float *in, global uint *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = (uint)sqrt(fabs(in[i]));
#else
  out[i] = (uint)sqrt(in[i]); //~ conversion out of range: work-item 0 of work-group 0
#endif
}
