// Neighbors within a picture, by limits of their places; rows of a length that is no multiple of anything.
//! kernel blur
//! global 331 5
//! arg buffer int 1655 fill(i * 7919 % 1000)
//! arg buffer int 1655 expect(a0[i / 331 * 331 + (i % 331 < 2 ? 0 : i % 331 - 2)] + 3 * a0[(i / 331 == 0 ? 0 : i / 331 - 1) * 331 + i % 331] + 5 * a0[i / 331 * 331 + (i % 331 > 327 ? 330 : i % 331 + 3)])
//! arg value int 331
//! arg value int 5
kernel void blur(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + clamp(x - 2, 0, w - 1)] + 3 * in[clamp(y - 1, 0, h - 1) * w + x] +
                   5 * in[y * w + min(max(x + 3, 0), w - 1)];
}
