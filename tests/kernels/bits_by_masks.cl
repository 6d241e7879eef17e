// A vector that a mask chooses between a number and the same one with bits of another, which lies in memory.
//! kernel bits
//! global 4
//! arg buffer int 64 fill(i * 19088743 + 23130)
//! arg buffer int 64 fill(i * 16225431 - 495100000)
//! arg buffer int 64 fill(i * 7 % 3 - 1)
//! arg buffer int 64 expect(a2[i] < 0 ? (a0[i] & 2147418367) | (a1[i] & -2147418368) : a1[i])
kernel void bits(global const int16 *x, global const int16 *y, global const int16 *mask, global int16 *out) {
  const size_t i = get_global_id(0);
  out[i] = select(y[i], (x[i] & 0x7fff00ff) | (y[i] & ~0x7fff00ff), mask[i]);
}
