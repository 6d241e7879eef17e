// Differences of neighboring pixels of four bytes, but for the pixels at the border, which stay as they are.
//! kernel edges
//! global 259 4
//! arg buffer uchar 4144 fill(i * 7919 % 256)
//! arg buffer uchar 4144 fill(7) expect(i / 4 % 259 < 1 || i / 4 % 259 > 257 || i / 1036 < 1 || i / 1036 > 2 ? 7 : min(255, max(0, a0[i - 4] - a0[i + 4]) + max(0, a0[i + 4] - a0[i - 4]) + 2 * a0[i + 1036]))
//! arg value int 259
//! arg value int 4
kernel void edges(global const uchar4 *in, global uchar4 *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int4 left = convert_int4(in[i - 1]), right = convert_int4(in[i + 1]), below = convert_int4(in[i + w]);
  out[i] = convert_uchar4_sat(convert_int4(abs(left - right)) + 2 * below);
}
