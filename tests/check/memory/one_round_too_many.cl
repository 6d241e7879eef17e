// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 4
//! local 4
//! arg buffer int 16
//! arg buffer int 4
//! arg value int 4
// The last round of the last row.
kernel void sum(global const int *in, global int *out, int width) {
  int row = get_global_id(0), total = 0;
#ifdef FIXED
  for (int i = 0; i < width; ++i)
#else
  for (int i = 0; i <= width; ++i)
#endif
    total += in[row * width + i]; //~ out of bounds read: work-item 3 of work-group 0
  out[row] = total;
}
