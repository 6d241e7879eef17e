// A matrix is transposed in tiles of 16x16 in local memory, whose columns are stored side by side.
//! kernel transposed
//! global 48 32
//! local 16 16
//! arg buffer float 1536 fill(i)
//! arg buffer float 1536 expect(i % 32 * 48 + i / 32)
//! arg value int 48
//! arg value int 32
kernel void transposed(global const float *a, global float *b, int columns, int rows) {
  local float t[16][17];
  int i = get_local_id(0), j = get_local_id(1), x = get_group_id(0) * 16, y = get_group_id(1) * 16;
  t[j][i] = a[(y + j) * columns + x + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[(x + j) * rows + y + i] = t[i][j];
}
