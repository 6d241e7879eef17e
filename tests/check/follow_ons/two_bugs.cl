// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel means
//! global 8
//! local 4
//! arg buffer int 6 fill(i)
//! arg buffer int 8
// A zero that is there is a bug of its own.
kernel void means(global const int *counts, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  int count = i < 6 ? max(counts[i], 1) : 1;
#else
  int count = counts[i]; //~ out of bounds read: work-items 2-3 of work-group 1
#endif
  out[i] = 100 / count; //~ division by zero: work-item 0 of work-group 0; work-items 2-3 of work-group 1
}
