// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel mean
//! global 4
//! local 4
//! arg buffer float 4 fill(i == 2 ? 0 : i + 1)
//! arg buffer float 4 fill(i == 2 ? 0 : 1)
//! arg buffer float 4
kernel void mean(global const float *sums, global const float *counts, global float *out) {
  int i = get_global_id(0);
#ifdef FIXED
  float value = counts[i] > 0 ? sums[i] / counts[i] : 0;
#else
  float value = sums[i] / counts[i]; //~ NaN of finite numbers: work-item 2 of work-group 0
#endif
  out[i] = value * 2 + 1;
}
