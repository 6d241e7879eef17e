// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel store
//! global 4
//! local 4
//! arg buffer int 4 expect(i)
//! arg local int 4
// The copy may still be reading.
kernel void store(global int *out, local int *part) {
  int i = get_local_id(0);
  part[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out, part, 4, 0);
#ifdef FIXED
  wait_group_events(1, &done);
  part[3 - i] = 0;
#else
  part[3 - i] = 0; //~ race of a read and a write: work-items 0-3 of work-group 0
  wait_group_events(1, &done);
#endif
}
