// A sum over a number of turns that is no multiple of those that are done at once, of rows that are done together.
//! kernel product
//! global 150 9
//! arg buffer int 171 fill(i * 31 % 17 - 8)
//! arg buffer int 2850 fill(i * 7919 % 23 - 11)
//! arg buffer int 1350 expect(sum(j, 0, 19, a0[i / 150 * 19 + j] * a1[j * 150 + i % 150]))
//! arg value int 19
//! arg value int 150
kernel void product(global const int *a, global const int *b, global int *c, int n, int w) {
  int x = get_global_id(0), y = get_global_id(1), sum = 0;
  for (int j = 0; j < n; ++j) sum += a[y * n + j] * b[j * w + x];
  c[y * w + x] = sum;
}
