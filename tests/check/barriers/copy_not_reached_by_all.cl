// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 8
//! local 4
//! arg buffer int 8 fill(i)
//! arg buffer int 8 expect(i)
//! arg local int 4
// "must be encountered by all work-items in a work-group"
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  event_t done = async_work_group_copy(part, in + 4 * get_group_id(0), 2, 0);
#ifndef FIXED
  if (i < 2)
#endif
  done = async_work_group_copy(part + 2, in + 4 * get_group_id(0) + 2, 2, done); //~ asynchronous copy not reached by all: work-items 2-3 of work-groups 0-1
  wait_group_events(1, &done);
  out[get_global_id(0)] = part[i];
}
