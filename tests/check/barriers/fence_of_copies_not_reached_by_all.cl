// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pass
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
//! arg buffer int 8 expect(i)
//! arg local int 8
// "must therefore be encountered by all work-items in a work-group"
kernel void pass(global const int *in, global int *out, local int *part) {
  event_t done = async_work_group_copy(part, in, 8, 0);
#ifndef FIXED
  if (get_local_id(0) != 7)
#endif
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE); //~ fence of copies not reached by all: work-item 7 of work-group 0
  done = async_work_group_copy(out, part, 8, done);
  wait_group_events(1, &done);
}
