// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 8
//! local 4
//! arg buffer int 32
// A part of four for each, but every two.
kernel void fill(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  i *= 2;
#endif
  for (int j = 0; j < 4; ++j)
    out[i * 2 + j] = j; //~ race of two writes: work-items 1-3 of work-group 0; work-items 0-3 of work-group 1
}
