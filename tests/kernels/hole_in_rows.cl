// Work-items in a row end by what all of them ask alike, or leave a hole of one; groups of one row run beside each other.
//! kernel hole
//! global 272 48
//! local 16 16
//! arg buffer int 13056 fill(i * 7919 % 1000) expect(i % 272 == 77 || i / 272 == 5 ? a0[i] : min(a0[i], a0[i / 272 * 272 + 77] + a0[5 * 272 + i % 272]))
//! arg value int 272
//! arg value int 77
//! arg value int 5
kernel void hole(global int *d, int w, int column, int row) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x == column || y == row) return;
  int through = d[y * w + column] + d[row * w + x];
  if (through < d[y * w + x]) d[y * w + x] = through;
}
