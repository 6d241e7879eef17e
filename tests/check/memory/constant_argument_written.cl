// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel change
//! global 4
//! local 4
//! arg buffer int 4 fill(i)
//! arg buffer int 4
// The same of an argument.
kernel void change(constant int *in, global int *out) {
  int i = get_global_id(0);
  global int *to = out;
#ifndef FIXED
  to = (global int *)(uintptr_t)in;
#endif
  to[i] = in[i] + 1; //~ write to read-only memory: work-items 0-3 of work-group 0
}
