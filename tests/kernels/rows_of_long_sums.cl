// A product of matrices in long sums, by groups whose last ones are shorter, and elements of 64 bits.
//! kernel sums
//! options -cl-std=CL3.0
//! global 40 42
//! local 20 6
//! arg buffer double 1680 fill(i * 7 % 11 - 5)
//! arg buffer double 1600 fill(i * 5 % 13 - 6)
//! arg buffer double 1680 expect(sum(v, 0, 40, ((i / 40 * 40 + v) * 7 % 11 - 5) * ((v * 40 + i % 40) * 5 % 13 - 6)))
//! arg value int 40
kernel void sums(global const double *a, global const double *b, global double *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  double s = 0;
  for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}
