// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pass
//! global 4
//! local 4
//! arg buffer int 4 fill(i)
//! arg buffer int 4 expect(i)
//! arg local int 4
// The second copy may read before the first has written; the event alone does not order them.
kernel void pass(global const int *in, global int *out, local int *part) {
  event_t done = async_work_group_copy(part, in, 4, 0);
#ifdef FIXED
  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
  done = async_work_group_copy(out, part, 4, done);
#else
  async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE);
  done = async_work_group_copy(out, part, 4, done); //~ race of a read and a write: work-item 0 of work-group 0
#endif
  wait_group_events(1, &done);
}
