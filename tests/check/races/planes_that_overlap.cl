// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
//! arg buffer int 8
//! arg local int 8
// One takes the even elements, as lines of one in two planes; where the other takes even ones too, they meet.
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  part[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy_3D3D(part, 0, in, 0, 4, 1, 2, 2, 2, 4, 2, 4, 0);
#ifdef FIXED
  async_work_group_copy_2D2D(part, 1, in, 1, 4, 1, 4, 2, 2, done);
#else
  async_work_group_copy_2D2D(part, 2, in, 1, 4, 1, 3, 2, 2, done); //~ race of two writes: work-item 0 of work-group 0
#endif
  wait_group_events(1, &done);
  out[i] = part[i];
}
