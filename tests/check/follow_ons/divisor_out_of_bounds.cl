// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel means
//! global 8
//! local 4
//! arg buffer int 6 fill(i + 1)
//! arg buffer int 8
// A read out of bounds gives 0, which is no bug of its own where it divides.
kernel void means(global const int *counts, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  int count = i < 6 ? counts[i] : 1;
#else
  int count = counts[i]; //~ out of bounds read: work-items 2-3 of work-group 1
#endif
  int total = 100 + i;
  out[i] = total / count; //~ > division by zero: work-items 2-3 of work-group 1
}
