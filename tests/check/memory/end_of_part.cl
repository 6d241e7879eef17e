// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 20
//! local 4
//! arg buffer int 16 part
// The argument is a sub-buffer: what lies behind it in its buffer is none of the kernel's.
kernel void fill(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i < 16)
#endif
  out[i] = i; //~ out of bounds write: work-items 0-3 of work-group 4
}
