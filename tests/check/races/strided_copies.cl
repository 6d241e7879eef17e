// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel load
//! global 4
//! local 4
//! arg buffer int 8 fill(i)
//! arg buffer int 4
//! arg local int 4
// One takes the even elements, the other the odd ones; where they meet nothing orders them.
kernel void load(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  part[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done[2];
  done[0] = async_work_group_strided_copy(part, in, 2, 2, 0);
#ifdef FIXED
  done[1] = async_work_group_strided_copy(part + 2, in + 1, 2, 2, 0);
#else
  done[1] = async_work_group_strided_copy(part + 1, in + 1, 2, 2, 0); //~ race of two writes: work-item 0 of work-group 0
#endif
  wait_group_events(2, done);
  out[i] = part[i];
}
