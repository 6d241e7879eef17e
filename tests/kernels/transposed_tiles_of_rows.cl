// The same in tiles of 32x32, by work-groups of 32x8: each work-item has four elements, of 64 bits.
//! kernel transposed
//! global 64 8
//! local 32 8
//! arg buffer double 2048 fill(i * 3)
//! arg buffer double 2048 expect((i % 32 * 64 + i / 32) * 3)
//! arg value int 64
//! arg value int 32
kernel void transposed(global const double *a, global double *b, int columns, int rows) {
  local double t[32][33];
  int i = get_local_id(0), j = get_local_id(1), x = get_group_id(0) * 32, y = get_group_id(1) * 32;
  for (int k = 0; k < 32; k += 8) t[j + k][i] = a[(y + j + k) * columns + x + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 32; k += 8) b[(x + j + k) * rows + y + i] = t[i][j + k];
}
