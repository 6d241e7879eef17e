// Products of matrices in tiles: the rows of a group read the same elements of one tile, and the vectors of a row the same of
// the other. Small whole numbers, whose sums are exact in any order.
//! kernel tiles
//! options -cl-std=CL3.0
//! global 48 48
//! local 16 16
//! arg buffer float 2304 fill(i * 7 % 11 - 5)
//! arg buffer float 2304 fill(i * 5 % 13 - 6)
//! arg buffer float 2304 expect(sum(v, 0, 48, ((i / 48 * 48 + v) * 7 % 11 - 5) * ((v * 48 + i % 48) * 5 % 13 - 6)))
//! arg value int 48
kernel void tiles(global const float *a, global const float *b, global float *c, int n) {
  local float p[16][16], q[16][16];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  float s = 0;
  for (int t = 0; t < n; t += 16) {
    p[j][i] = a[y * n + t + i];
    q[j][i] = b[(t + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) s += p[j][k] * q[k][i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = s;
}
