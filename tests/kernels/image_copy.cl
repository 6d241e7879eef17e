// From one channel order and type to another, pixels outside of the target dropped; red becomes blue and back.
//! kernel copy
//! global 20 12
//! arg image 2d rgba unorm_int8 16 10 fill(i * 7 % 256)
//! arg image 2d bgra unorm_int8 16 10 expect(a0[i % 4 == 0 ? i + 2 : i % 4 == 2 ? i - 2 : i])
//! arg image 2d rg float 16 10 expect(float(a0[i / 2 * 4 + i % 2] / 255.0)) tolerance(0.0000001)
kernel void copy(read_only image2d_t from, write_only image2d_t to, write_only image2d_t two) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 color = read_imagef(from, at);
  write_imagef(to, at, color);
  write_imagef(two, at, color);
}
