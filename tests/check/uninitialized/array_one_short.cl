// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sums
//! global 4
//! local 4
//! arg buffer int 4
// A loop fills a private array, up to one before its last element.
kernel void sums(global int *out) {
  int each[8], i = get_global_id(0), sum = 0;
#ifdef FIXED
  for (int k = 0; k <= 7; ++k) each[k] = k + i;
#else
  for (int k = 0; k < 7; ++k) each[k] = k + i;
#endif
  for (int k = 0; k < 8; ++k) sum += each[k];
  out[i] = sum; //~ uninitialized store: work-items 0-3 of work-group 0
}
