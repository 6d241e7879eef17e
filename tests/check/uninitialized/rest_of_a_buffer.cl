// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel smooth
//! global 8
//! local 4
//! arg buffer float 10 written(8)
//! arg buffer float 8
// The host has written less than the kernel reads.
kernel void smooth(global const float *in, global float *out) {
  int i = get_global_id(0);
  float next = in[i + 1];
#ifdef FIXED
  if (i == 7) next = 0;
#endif
  out[i] = 0.5f * (in[i] + next); //~ uninitialized store: work-item 3 of work-group 1
}
