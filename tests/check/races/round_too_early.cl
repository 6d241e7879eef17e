// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel rounds
//! global 16
//! local 8
//! arg buffer int 16 fill(i)
//! arg buffer int 16
// What others still read in this round the last one already writes in the next.
kernel void rounds(global const int *in, global int *out) {
  local int shared;
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    if (get_local_id(0) == 7)
      shared = in[get_global_id(0)] + round; //~ race of a read and a write: work-item 7 of work-groups 0-1
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += shared;
#ifdef FIXED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[get_global_id(0)] = sum;
}
