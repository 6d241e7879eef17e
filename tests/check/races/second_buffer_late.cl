// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel rounds
//! global 8
//! local 8
//! arg buffer int 8
// The barrier at the end of the round is missing: the next one overwrites what somebody still reads.
kernel void rounds(global int *out) {
  local int tile[8];
  int i = get_local_id(0), sum = 0;
  for (int k = 0; k < 2; ++k) {
    tile[i] = i + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[7 - i]; //~ race of a read and a write: work-items 4-7 of work-group 0
#ifdef FIXED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[i] = sum;
}
