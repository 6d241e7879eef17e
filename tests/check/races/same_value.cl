// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel flag
//! global 8
//! local 4
//! arg buffer int 1
// All say the same: a race all the same, of a kind of its own.
kernel void flag(global int *found) {
#ifdef FIXED
  if (get_global_id(0) == 0)
#endif
  *found = 1; //~ writes of the same value: work-items 1-3 of work-group 0; work-items 0-3 of work-group 1
}
