// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel store
//! global 8
//! local 4
//! arg buffer int 8
// What was never written leaves the kernel.
kernel void store(global int *out) {
  int i = get_global_id(0), value;
#ifndef FIXED
  if (i != 5)
#endif
    value = i;
  out[i] = value; //~ uninitialized store: work-item 1 of work-group 1
}
