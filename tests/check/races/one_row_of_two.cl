// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel scan
//! global 128
//! local 64
//! arg buffer uint 128 fill(i)
//! arg buffer uint 128
// What is read in a round is the row that the same round writes.
kernel void scan(global const uint *in, global uint *out) {
  local uint rows[2][64];
  uint lid = get_local_id(0), row = 0;
  rows[0][lid] = in[get_global_id(0)];
  rows[1][lid] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 1; d < 64; d *= 2) {
    uint sum = rows[row][lid];
    if (lid >= d)
      sum += rows[row][lid - d]; //~ race of a read and a write: work-items 1-63 of work-groups 0-1
#ifdef FIXED
    row = 1 - row;
#endif
    rows[row][lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = rows[row][lid];
}
