// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 2
//! local 2
//! arg buffer int 2 fill(i)
//! arg buffer int 2 expect(i)
//! arg local int 2
//! arg value int 2
// "event_list [has] num_events [events]": there is one
kernel void load(global const int *in, global int *out, local int *part, int events) {
  int i = get_local_id(0);
  event_t done = async_work_group_copy(part, in, 2, 0);
#ifdef FIXED
  events = 1;
#endif
  wait_group_events(events, &done); //~ out of bounds read: work-items 0-1 of work-group 0
  out[i] = part[i];
}
