// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel transpose
//! global 8 4
//! local 4 2
//! arg buffer int 32 fill(i)
//! arg buffer int 32
// Rows and columns are mixed up.
kernel void transpose(global const int *in, global int *out) {
  int x = get_global_id(0), y = get_global_id(1);
#ifdef FIXED
  out[x * 4 + y] = in[y * 8 + x];
#else
  out[x * 4 + y] = in[x * 8 + y]; //~ out of bounds read: work-items (0,0) to (3,1) of work-group (1,0); work-items (0,0) to (3,1) of work-group (1,1)
#endif
}
