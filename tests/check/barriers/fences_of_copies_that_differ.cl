// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pass
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
//! arg buffer int 8 expect(i)
//! arg local int 8
// "with the same argument values"
kernel void pass(global const int *in, global int *out, local int *part) {
  cl_mem_fence_flags fences = CLK_LOCAL_MEM_FENCE;
#ifndef FIXED
  if (get_local_id(0) == 7) fences |= CLK_GLOBAL_MEM_FENCE;
#endif
  event_t done = async_work_group_copy(part, in, 8, 0);
  async_work_group_copy_fence(fences); //~ fences of copies that differ: work-item 7 of work-group 0
  done = async_work_group_copy(out, part, 8, done);
  wait_group_events(1, &done);
}
