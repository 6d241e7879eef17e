// A 64-byte vector and an aligned struct by value: their loads may assume their alignment, whatever lies before them.
//! kernel wide_arguments
//! global 8
//! arg value int 2
//! arg value int16 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
//! arg buffer int 128 fill(0) expect((i % 16 + 1) * 2 + i / 16)
kernel void wide_arguments(int scale, int16 row, global int16 *out) {
  size_t i = get_global_id(0);
  out[i] = row * scale + (int)i;
}
