// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel deviation
//! global 8
//! local 4
//! arg buffer float 8 fill(i)
//! arg buffer float 8
// Through a function and back.
float root(float x) {
#ifdef FIXED
  x = max(x, 0.0f);
#endif
  return sqrt(x); //~ NaN of finite numbers: work-items 0-1 of work-group 0
}
float half_of(float x) { return x / 2; }
kernel void deviation(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = half_of(root(in[i] - 2)) + 1;
}
