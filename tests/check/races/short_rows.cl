// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 8 2
//! local 8 2
//! arg buffer int 16
//! arg value int 6
// The end of a row is the beginning of the next one.
kernel void fill(global int *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
#ifdef FIXED
  width += 2;
#endif
  out[y * width + x] = x; //~ race of two writes: work-items (0,1) to (1,1) of work-group (0,0)
}
