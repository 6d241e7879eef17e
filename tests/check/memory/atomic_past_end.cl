// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 16
//! local 16
//! arg buffer int 8
// There are eight counters.
kernel void count(global int *counters) {
  int i = get_global_id(0);
#ifdef FIXED
  i &= 7;
#endif
  atomic_inc(&counters[i]); //~ out of bounds atomic operation: work-items 8-15 of work-group 0
}
