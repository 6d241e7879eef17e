// Steps with barriers in which some work-items go on from what they had: diagonals, a triangle, a window that goes the
// other way; and steps that need what later work-items did in the step before, which stay as they are.
//! kernel steps
//! global 48
//! local 16
//! arg buffer int 768 expect((i % 16 + 1) * (floor(i / 16) % 16 + 1))
//! arg buffer int 48 expect((16 - i % 16) * (i % 16 + 3))
//! arg buffer int 48 expect(32 + i % 16)
//! arg buffer int 48 expect(i % 16 < 8 ? i % 16 + 16 : 1000)
//! arg buffer int 48 expect(i % 16 < 3 ? 0 : 12 * (i % 16 - 2))
kernel void steps(global int *a, global int *b, global int *c, global int *e, global int *f) {
  local int t[17][17], u[16][17], r[16][17], w[9][16], s[16][24];
  int l = get_local_id(0), at = get_global_id(0);
  for (int x = 0; x < 17; ++x) { t[l + 1][x] = 7; u[l][x] = 0; r[l][x] = l + 16; }
  for (int x = 0; x < 24; ++x) s[l][x] = 0;
  t[0][l + 1] = t[l + 1][0] = 0;
  if (l == 0) t[0][0] = 0;
  for (int d = 0; d < 9; ++d) w[d][l] = d ? 1000 : l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < 31; ++d) {
    int x = d - l;
    if (x >= 0 && x < 16) t[l + 1][x + 1] = t[l][x + 1] + t[l + 1][x] - t[l][x] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = 0; d < 16; ++d) {
    if (l <= d) u[l][d + 1] = u[l][d] + l + 3;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = 0; d < 31; ++d) {
    int x = d + l - 15;
    if (x >= 0 && x < 16) r[l][x + 1] = r[l][x] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = 0; d < 8; ++d) {
    if (l < 15 - d) w[d + 1][l] = w[d][l + 1] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = 23; d > 0; --d) {
    if (l > 2 && d <= 12) s[l][d - 1] = s[l][d] + l - 2;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int x = 0; x < 16; ++x) a[(at - l) * 16 + l * 16 + x] = t[l + 1][x + 1];
  b[at] = u[l][16];
  c[at] = r[l][16];
  e[at] = w[8][l];
  f[at] = s[l][0];
}
