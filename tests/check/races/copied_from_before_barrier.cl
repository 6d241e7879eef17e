// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel store
//! global 4
//! local 4
//! arg buffer int 4
//! arg local int 4
// "This function does not perform any implicit synchronization of source data such as using a barrier before performing
// the copy."
kernel void store(global int *out, local int *part) {
  int i = get_local_id(0);
  part[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef FIXED
  part[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  part[i] = i;
#endif
  event_t done = async_work_group_copy(out, part, 4, 0); //~ race of a read and a write: work-items 0-3 of work-group 0
  wait_group_events(1, &done);
}
