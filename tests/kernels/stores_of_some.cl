// Some work-items of each vector write what all have read, in global and local memory; what the others have stays.
//! kernel lower
//! global 64 8
//! local 16 4
//! arg buffer int 512 fill(i * 37 % 101) expect(min(i * 37 % 101, i * 53 % 89))
//! arg buffer int 512 fill(i * 53 % 89)
//! arg buffer int 512 expect(i * 53 % 89 < i * 37 % 101 && i * 53 % 89 < 44 ? i * 53 % 89 : floor(i / 64) * 100 + i % 64)
//! arg value int 64
kernel void lower(global int *a, global const int *b, global int *c, int n) {
  local int t[4][16];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  t[j][i] = y * 100 + x;
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = b[y * n + x], old = a[y * n + x];
  if (v < old) a[y * n + x] = v;
  if (t[j][i] >= 0 && v < old && v < 44) t[j][i] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  c[y * n + x] = t[j][i];
}
