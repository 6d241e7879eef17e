// Tiles with a border are filled by work-items' linear numbers: rows that no vector fits, at all edges of a picture;
// and once more as a table, whose lines are counted in fours.
//! kernel fill
//! global 40 36
//! local 8 12
//! arg buffer int 1440 fill(i * 7919 % 1000)
//! arg buffer int 1440 expect(a0[max(floor(i / 40) - 1, 0) * 40 + i % 40] + a0[min(floor(i / 40) + 1, 35) * 40 + i % 40] * 2 + a0[floor(i / 40) * 40 + max(i % 40 - 1, 0)] * 3 + a0[floor(i / 40) * 40 + min(i % 40 + 1, 39)] * 5 + a0[i])
//! arg buffer int 1440 expect((i % 40 % 8 + floor(i / 40) % 12 * 8 + 192) + 1000 * ((i % 40 % 8 + floor(i / 40) % 12 * 8 + 192) % 10) + 100000 * (floor((i % 40 % 8 + floor(i / 40) % 12 * 8 + 192) / 10) % 4))
//! arg value int 40
//! arg value int 36
kernel void fill(global const int *a, global int *b, global int *c, int w, int h) {
  local int t[14][10];
  local int table[32 * 10];
  int i = get_local_id(0), j = get_local_id(1), x0 = get_group_id(0) * 8 - 1, y0 = get_group_id(1) * 12 - 1;
  for (int l = j * 8 + i; l < 14 * 10; l += 96)
    t[l / 10][l % 10] = a[clamp(y0 + l / 10, 0, h - 1) * w + clamp(x0 + l % 10, 0, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int at = get_global_id(1) * w + get_global_id(0);
  b[at] = t[j][i + 1] + t[j + 2][i + 1] * 2 + t[j + 1][i] * 3 + t[j + 1][i + 2] * 5 + t[j + 1][i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint l = j * 8 + i; l < 32 * 10; l += 96)
    table[l] = l + 1000 * (l % 10) + 100000 * (l / 10 % 4);
  barrier(CLK_LOCAL_MEM_FENCE);
  c[at] = table[192 + j * 8 + i];
}
