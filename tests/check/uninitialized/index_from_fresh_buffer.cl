// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel gather
//! global 8
//! local 8
//! arg buffer int 8 written(6)
//! arg buffer float 8 fill(i)
//! arg buffer float 8
// An index that nobody has written, by way of local memory.
kernel void gather(global const int *index, global const float *in, global float *out) {
  local int staged[8];
  int i = get_local_id(0);
  staged[i] = index[i];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef FIXED
  if (i > 5) return;
#endif
  out[i] = in[staged[i] & 7]; //~ uninitialized address: work-items 6-7 of work-group 0
}
