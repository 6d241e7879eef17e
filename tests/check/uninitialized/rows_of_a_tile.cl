// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel turn
//! global 32
//! local 16
//! arg buffer int 128
// Each work-item writes one element of each row, but of the last one.
kernel void turn(global int *out) {
  local int tile[4][16];
  int i = get_local_id(0);
#ifdef FIXED
  const int rows = 4;
#else
  const int rows = 3;
#endif
  for (int u = 0; u < rows; ++u) { int e = i + u * 16; tile[e / 16][e % 16] = e; }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int u = 0; u < 4; ++u)
    out[get_group_id(0) * 64 + u * 16 + i] = tile[u][15 - i]; //~ uninitialized store: work-items 0-15 of work-groups 0-1
}
