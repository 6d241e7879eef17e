// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! options -cl-std=CL3.0
//! kernel hand_over
//! global 8
//! local 4
//! arg buffer int 4
//! arg buffer int 8
// Who should set the flag waits, too: at a barrier that those who wait for the flag do not come to.
kernel void hand_over(global int *flags, global int *out) {
  volatile global atomic_int *flag = (volatile global atomic_int *)flags + get_group_id(0);
#ifdef FIXED
  if (get_local_id(0) == 3) atomic_store(flag, 1);
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  if (get_local_id(0) != 3)
    while (atomic_load(flag) == 0) //~ wait that cannot end: work-items 0-3 of work-groups 0-1
      ;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 3) atomic_store(flag, 1);
  out[get_global_id(0)] = 1;
}
