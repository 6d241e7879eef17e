// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 2
//! local 2
//! arg buffer int 4 fill(i)
//! arg buffer int 2
//! arg local int 4
// "with the same num_events and event objects specified in event_list"
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  event_t done[2];
  done[0] = async_work_group_copy(part, in, 2, 0);
  done[1] = async_work_group_copy(part + 2, in + 2, 2, 0);
#ifdef FIXED
  wait_group_events(2, done);
#else
  wait_group_events(1, done + i); //~ different events: work-item 1 of work-group 0
  wait_group_events(2, done);
#endif
  out[i] = part[i] + part[i + 2];
}
