// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel difference
//! global 32
//! local 8
//! arg buffer int 32 fill(i)
//! arg buffer int 32
// The last work-item has no neighbor.
kernel void difference(global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  int next = i + 1 < 32 ? in[i + 1] : 0;
#else
  int next = in[i + 1]; //~ out of bounds read: work-item 7 of work-group 3
#endif
  out[i] = next;
}
