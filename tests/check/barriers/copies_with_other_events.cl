// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 4
//! local 4
//! arg buffer int 12 fill(i)
//! arg buffer int 4
//! arg local int 12
// "with the same argument values": the event is one of them
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  event_t done[2];
  done[0] = async_work_group_copy(part, in, 4, 0);
  done[1] = async_work_group_copy(part + 4, in + 4, 4, 0);
  int chosen = 0;
#ifndef FIXED
  chosen = i == 3;
#endif
  async_work_group_copy(part + 8, in + 8, 4, done[chosen]); //~ asynchronous copies that differ: work-item 3 of work-group 0
  wait_group_events(2, done);
  out[i] = part[i] + part[i + 4] + part[i + 8];
}
