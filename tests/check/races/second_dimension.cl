// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 4 2
//! local 4 2
//! arg buffer int 8
// Nobody looks at the second id.
kernel void fill(global int *out) {
  int x = get_global_id(0), y = get_global_id(1);
#ifdef FIXED
  out[y * get_global_size(0) + x] = y;
#else
  out[x] = y; //~ race of two writes: work-items (0,1) to (3,1) of work-group (0,0)
#endif
}
