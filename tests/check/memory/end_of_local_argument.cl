// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel turn
//! global 8
//! local 8
//! arg local int 6
//! arg local int 8
//! arg buffer int 8
// The host gave six elements to the first; the next begins behind a gap.
kernel void turn(local int *a, local int *b, global int *out) {
  int i = get_local_id(0);
  b[i] = i;
#ifdef FIXED
  if (i < 6)
#endif
  a[i] = i; //~ out of bounds write: work-items 6-7 of work-group 0
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = b[7 - i];
}
