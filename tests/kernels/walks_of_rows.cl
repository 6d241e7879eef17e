// Each work-item goes through a row of its own, of which nothing is known before the launch: more elements than there
// are work-items side by side and some that are left over, numbers of 32 and of 64 bits, and two rows at once.
//! kernel walk
//! global 64
//! local 32
//! arg buffer float 2368 fill(i % 41)
//! arg buffer int 2368 fill(i * 7 % 1000)
//! arg buffer double 2368 fill(i % 29)
//! arg buffer float 64 expect((i * 37 % 41 + (i * 37 + 35) % 41 * 35) + (i * 37 + 36) % 41 * 36)
//! arg buffer int 64 expect((i * 37 * 7 % 1000) ^ ((i * 37 + 36) * 7 % 1000))
//! arg buffer double 64 expect(i * 37 % 29 * 2 + (i * 37 + 36) % 29 * 2)
//! arg value int 37
kernel void walk(global const float *a, global const int *b, global const double *c, global float *sum, global int *bits,
                 global double *ends, int n) {
  int i = get_global_id(0);
  float s = 0;
  int x = 0;
  double e = 0;
  for (int j = 0; j < n; ++j) s += a[i * n + j] * (j == 0 ? 1.0f : j >= n - 2 ? (float)j : 0.0f);
  for (int j = 0; j < n; ++j) x ^= j == 0 || j == n - 1 ? b[i * n + j] : 0;
  for (int j = 0; j < n; ++j) {
    double p = c[i * n + j], q = c[i * n + n - 1 - j];
    e += j == 0 ? p + q : j == n - 1 ? p + q : 0;
  }
  sum[i] = s;
  bits[i] = x;
  ends[i] = e;
}
