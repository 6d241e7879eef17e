// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel total
//! global 16
//! local 4
//! arg buffer int 1
// One sum for all work-groups.
kernel void total(global int *sum) {
#ifdef FIXED
  if (get_local_id(0) == 0) atomic_inc(sum);
#else
  if (get_local_id(0) == 0) *sum += 1; //~ race of a read and a write: work-item 0 of work-groups 1-3 | race of two writes: work-item 0 of work-groups 1-3
#endif
}
