// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel store
//! global 8
//! local 4
//! arg buffer int 8 expect(i)
//! arg local int 4
// "The kernel must wait for the completion of all async copies ... before exiting". A barrier is no such wait.
kernel void store(global int *out, local int *part) {
  part[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out + 4 * get_group_id(0), part, 4, 0); //~ asynchronous copy not waited for: work-items 0-3 of work-groups 0-1
#ifdef FIXED
  wait_group_events(1, &done);
#else
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
#endif
}
