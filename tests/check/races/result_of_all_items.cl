// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 64 4
//! local 16 4
//! arg buffer uint 4
// One work-item of each row writes the group's place: there are four rows.
kernel void sum(global uint *out) {
#ifdef FIXED
  if (get_local_id(0) == 0 && get_local_id(1) == 0)
#else
  if (get_local_id(0) == 0)
#endif
    out[get_group_id(0)] = 5 + get_local_id(1); //~ race of two writes: work-items (0,1), (0,2), (0,3) of work-groups (0,0) to (3,0)
}
