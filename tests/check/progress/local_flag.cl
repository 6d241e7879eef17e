// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! options -cl-std=CL3.0
//! kernel wait_for_last
//! global 4
//! local 4
//! arg buffer int 4
kernel void wait_for_last(global int *out) {
  local atomic_int ready;
  if (get_local_id(0) == 0) atomic_init(&ready, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef FIXED
  if (get_local_id(0) == 3)
#else
  if (get_local_id(0) == 4)
#endif
    atomic_store(&ready, 1);
  while (atomic_load(&ready) == 0) //~ wait that cannot end: work-items 0-3 of work-group 0
    ;
  out[get_global_id(0)] = 1;
}
