// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! options -cl-std=CL3.0
//! kernel chain
//! global 8
//! local 2
//! arg buffer int 5 fill(i == 0)
//! arg buffer int 8
// Each group waits for the one before; group 2 forgets to tell the next.
kernel void chain(global int *done, global int *out) {
  volatile global atomic_int *words = (volatile global atomic_int *)done;
  const int group = get_group_id(0);
  if (get_local_id(0) == 0) {
    while (atomic_load(&words[group]) == 0) //~ wait that cannot end: work-items 0-1 of work-group 3
      ;
#ifndef FIXED
    if (group != 2)
#endif
      atomic_store(&words[group + 1], 1);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = group;
}
