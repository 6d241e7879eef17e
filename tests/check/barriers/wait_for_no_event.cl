// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 4
//! local 4
//! arg buffer int 4 fill(i)
//! arg buffer int 4 expect(i)
//! arg local int 4
// An event that nothing was asked for with. One that is given again names both copies.
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  event_t none = 0, done = async_work_group_copy(part, in, 2, 0);
  async_work_group_copy(part + 2, in + 2, 2, done);
  wait_group_events(1, &done);
#ifndef FIXED
  wait_group_events(1, &none); //~ wait for no event: work-items 0-3 of work-group 0
#endif
  out[i] = part[i];
}
