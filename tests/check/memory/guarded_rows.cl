// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel rows
//! global 16 8
//! local 8 4
//! arg buffer int 60
//! arg value int 10
//! arg value int 7
// More work-items than elements: the guard keeps those beyond the ends away. There are six rows of ten, not seven.
kernel void rows(global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
#ifdef FIXED
  --height;
#endif
  if (x >= width || y >= height) return;
  out[y * width + x] = 1; //~ out of bounds write: work-items (0,2) to (7,2) of work-group (0,1); work-items (0,2) to (1,2) of work-group (1,1)
}
