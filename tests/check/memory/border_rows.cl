// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel border
//! global 8 8
//! local 8 8
//! arg buffer float 64 fill(i)
//! arg buffer float 64
//! arg value int 8
// What is compared keeps work-items from the rows and columns outside; one of the four is forgotten.
kernel void border(global const float *a, global float *b, int w) {
  int x = get_global_id(0), y = get_global_id(1);
#ifdef FIXED
  if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
#else
  if (x < 1 || y < 0 || x >= w - 1 || y >= w - 1) return;
#endif
  float before = a[(y - 1) * w + x]; //~ out of bounds read: work-items (1,0) to (6,0) of work-group (0,0)
  b[y * w + x] = before + a[(y + 1) * w + x];
}
