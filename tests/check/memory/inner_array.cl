// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel inner
//! global 6
//! local 6
//! arg buffer int 6
// A row has four columns.
kernel void inner(global int *out) {
  int rows[3][4];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) rows[r][c] = r * 4 + c;
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = rows[1][i % 4];
#else
  out[i] = rows[1][i]; //~ wrong array index: work-items 4-5 of work-group 0
#endif
}
