// A product of matrices in which each work-item has a block of 4x4 sums: more than there are registers.
//! kernel blocks
//! options -cl-std=CL3.0
//! global 16 16
//! local 16 16
//! arg buffer float 4096 fill(i * 7 % 11 - 5)
//! arg buffer float 4096 fill(i * 5 % 13 - 6)
//! arg buffer float 4096 expect(sum(v, 0, 64, ((i / 64 * 64 + v) * 7 % 11 - 5) * ((v * 64 + i % 64) * 5 % 13 - 6)))
//! arg value int 64
kernel void blocks(global const float *a, global const float *b, global float *c, int n) {
  local float p[64][16], q[16][64];
  int i = get_local_id(0), j = get_local_id(1), id = j * 16 + i;
  float s[4][4] = {};
  for (int t = 0; t < n; t += 16) {
    for (int u = 0; u < 4; ++u) {
      int e = id + u * 256;
      p[e / 16][e % 16] = a[e / 16 * n + t + e % 16];
      q[e / 64][e % 64] = b[(t + e / 64) * n + e % 64];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      for (int u = 0; u < 4; ++u)
        for (int v = 0; v < 4; ++v) s[u][v] += p[j + 16 * u][k] * q[k][i + 16 * v];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 4; ++v) c[(j + 16 * u) * n + i + 16 * v] = s[u][v];
}
