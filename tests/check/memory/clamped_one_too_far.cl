// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel shift
//! global 32
//! local 32
//! arg buffer int 32 fill(i)
//! arg buffer int 32
//! arg value int 32
#ifdef FIXED
#define LAST (w - 1)
#else
#define LAST w
#endif
kernel void shift(global const int *a, global int *b, int w) {
  int x = get_global_id(0);
  b[x] = a[clamp(x + 3, 0, LAST)]; //~ out of bounds read: work-items 29-31 of work-group 0
}
