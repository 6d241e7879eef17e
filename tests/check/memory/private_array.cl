// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel histogram
//! global 16
//! local 16
//! arg buffer int 16 fill(i)
//! arg buffer int 16
// The index comes from memory: nobody knows it beforehand.
kernel void histogram(global const int *in, global int *out) {
  int counts[8];
  for (int k = 0; k < 8; ++k) counts[k] = k;
  int i = get_global_id(0), bin = in[i];
#ifdef FIXED
  bin &= 7;
#endif
  counts[bin] = 100; //~ out of bounds write: work-items 8-15 of work-group 0
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += counts[k];
  out[i] = sum;
}
