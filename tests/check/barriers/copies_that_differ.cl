// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
//! arg buffer int 8 expect(i)
//! arg local int 8
// "with the same argument values"
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  int count = 8;
#ifndef FIXED
  if (i == 7) count = 4;
#endif
  event_t done = async_work_group_copy(part, in, count, 0); //~ asynchronous copies that differ: work-item 7 of work-group 0
  wait_group_events(1, &done);
  out[i] = part[i];
}
