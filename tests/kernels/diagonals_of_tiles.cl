// Diagonals of tiles: in each step the work-items of a window have something to do, some steps none; the window goes
// downwards, then upwards.
//! kernel diagonals
//! global 48
//! local 16
//! arg buffer int 768 expect((i % 16 + 1) * (i / 16 + 1) + 1000 * (i / 16 % 16 >= 3 && i / 16 % 16 < 8))
//! arg value int 3
kernel void diagonals(global int *out, int from) {
  local int t[17][17];
  int l = get_local_id(0), g = get_group_id(0);
  t[0][l + 1] = 0;
  t[l + 1][0] = g * 16 + l + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = -2; d < 33; ++d) {
    int x = d - l;
    if (x >= 0 && x < 16) t[l + 1][x + 1] = t[l + 1][x] + (x ? t[l + 1][0] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int j = 0; j < 16; ++j) {
    int y = l - from;
    if (y >= 0 && y < 5) t[l + 1][j + 1] += 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int j = 0; j < 16; ++j) out[(g * 16 + l) * 16 + j] = t[l + 1][j + 1];
}
