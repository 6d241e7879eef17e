// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel turn
//! global 8 4
//! local 4 4
//! arg buffer int 32 fill(i)
//! arg buffer int 32
// A tile of each work-group goes to where the turned picture has it: that has eight rows of four.
kernel void turn(global const int *in, global int *out) {
  int i = get_local_id(0), j = get_local_id(1), x = get_group_id(0) * 4, y = get_group_id(1) * 4;
  int one = in[(y + j) * 8 + x + i];
#ifdef FIXED
  out[(x + i) * 4 + y + j] = one;
#else
  out[(x + i) * 5 + y + j] = one; //~ out of bounds write: work-items (3,0), (3,1), (2,2) to (3,2), (2,3) to (3,3) of work-group (1,0)
#endif
}
