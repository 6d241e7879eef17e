// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 4
//! local 4
//! arg buffer int 4 fill(i)
//! arg buffer int 4
//! arg local int 4
// Not even a barrier makes what is copied visible: only wait_group_events does.
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  event_t done = async_work_group_copy(part, in, 4, 0);
#ifdef FIXED
  wait_group_events(1, &done);
  out[i] = part[i];
#else
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = part[i]; //~ race of a read and a write: work-items 0-3 of work-group 0
  wait_group_events(1, &done);
#endif
}
