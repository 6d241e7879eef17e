// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel least
//! global 4
//! local 4
//! arg buffer float 4 fill(i == 0 ? sqrt(0 - 1) : i)
//! arg buffer float 4
// What comes from outside, what the source says to be infinite, and what is not stored is not told.
kernel void least(global const float *in, global float *out) {
  int i = get_global_id(0);
  float smallest = INFINITY;
  for (int k = 1; k < i; ++k) smallest = fmin(smallest, in[k]);
  float ratio = 1.0f / (float)(i - 1);
  out[i] = isinf(ratio) ? smallest : in[i];
#ifndef FIXED
  if (i == 3) out[i] = log(in[i] - 3); //~ infinity of finite numbers: work-item 3 of work-group 0
#endif
}
