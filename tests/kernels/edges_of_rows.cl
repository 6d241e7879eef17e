// Work-items at the edges do something else, or nothing. Those between them have a loop of their own, before which is
// asked what all of a row ask alike.
//! kernel k
//! global 200 7
//! arg buffer int 1400 fill(i * 3)
//! arg buffer int 1400 fill(7) expect(i % 200 == 0 || i % 200 == 199 || i < 200 || i >= 1200 ? 7 : i * 15)
//! arg buffer int 1400 expect(i % 200 == 0 ? 1 : i % 200 == 150 ? 2 : i >= 400 && i < 600 ? 3 : 4)
//! arg value int 200
//! arg value int 150
kernel void k(global const int *a, global int *sums, global int *kinds, int w, int special) {
  const int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
  kinds[i] = x == 0 ? 1 : x == special ? 2 : y == 2 ? 3 : 4;
  if (x < 1 || y < 1 || x == w - 1 || y >= 6) return;
  sums[i] = a[i] + a[i - 1] + a[i + 1] + a[i - w] + a[i + w];
}
