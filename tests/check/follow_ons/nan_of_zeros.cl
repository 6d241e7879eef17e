// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel ratios
//! global 4
//! local 4
//! arg buffer float 3 fill(i + 1)
//! arg buffer float 4
kernel void ratios(global const float *in, global float *out) {
  int i = get_global_id(0);
#ifdef FIXED
  float x = in[min(i, 2)];
#else
  float x = in[i]; //~ out of bounds read: work-item 3 of work-group 0
#endif
  out[i] = x / x; //~ > NaN of finite numbers: work-item 3 of work-group 0
}
