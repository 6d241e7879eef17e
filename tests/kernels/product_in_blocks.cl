// A product of matrices, a block of 4 by 4 elements a work-item, whose sums are a private array across barriers.
//! kernel product
//! global 8 8
//! local 8 8
//! arg buffer float 1024 fill(i % 7)
//! arg buffer float 1024 fill(i % 5)
//! arg buffer float 1024 expect(sum(k, 0, 32, ((i / 32 * 32 + k) % 7) * ((k * 32 + i % 32) % 5)))
//! arg value int 32
kernel void product(global const float *a, global const float *b, global float *c, int n) {
  local float p[32][8], q[8][32];
  int x = get_local_id(0), y = get_local_id(1);
  float s[4][4], u[4], v[4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) s[i][j] = 0;
  for (int t = 0; t < n; t += 8) {
    for (int e = y * 8 + x; e < 256; e += 64) {
      p[e / 8][e % 8] = a[e / 8 * n + t + e % 8];
      q[e / 32][e % 32] = b[(t + e / 32) * n + e % 32];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 4; ++i) {
        u[i] = p[y + 8 * i][k];
        v[i] = q[k][x + 8 * i];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) s[i][j] += u[i] * v[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(y + 8 * i) * n + x + 8 * j] = s[i][j];
}
