// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel change
//! global 4
//! local 4
//! arg buffer int 4
// A number that becomes a pointer again is a way round the language's rule that constant memory is not written.
constant int table[4] = {1, 2, 3, 4};
kernel void change(global int *out) {
  int i = get_global_id(0);
  global int *to = out;
#ifndef FIXED
  to = (global int *)(uintptr_t)table;
#endif
  to[i] = table[i] + 1; //~ write to read-only memory: work-items 0-3 of work-group 0
}
