// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel turn
//! global 8 8
//! local 4 4
//! arg buffer int 64
//! arg value int 8
// A tile of each work-group goes to where the turned picture has it. In rows that are too short their ends are the
// beginnings of the next ones.
kernel void turn(global int *out, int width) {
  int i = get_local_id(0), j = get_local_id(1), x = get_group_id(0) * 4, y = get_group_id(1) * 4;
#ifdef FIXED
  out[(x + j) * width + y + i] = (y + i) * width + x + j;
#else
  out[(x + j) * (width - 2) + y + i] = (y + i) * width + x + j; //~ race of two writes: work-items (2,0) to (3,0), (2,1) to (3,1), (2,2) to (3,2), (2,3) to (3,3) of work-group (0,1); work-items (2,0) to (3,0), (2,1) to (3,1), (2,2) to (3,2) of work-group (1,1)
#endif
}
