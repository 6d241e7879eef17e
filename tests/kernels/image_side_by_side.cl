// Images that work-items read and write side by side, at the pixels of their numbers and around them: the rows are
// longer than vectors and not multiples of them, and at the edges pixels are repeated, or zero, or not written.
//! kernel sideBySide
//! global 50 20
//! local 50 1
//! arg image 2d rgba unorm_int8 50 20 fill(i * 7 % 256)
//! arg image 2d rgba float 50 20 fill(i)
//! arg image 2d r unsigned_int16 50 20 fill(i * 13)
//! arg buffer float 4000 expect((a0[i / 200 * 200 + min(i / 4 % 50 + 1, 49) * 4 + i % 4] + a0[i / 200 * 200 + i / 4 % 50 * 4 + i % 4]) / 255.0) tolerance(0.0000003)
//! arg buffer float 4000 expect(i / 4 % 50 < 2 ? 0 : a1[i - 8])
//! arg buffer uint 1000 expect(a2[i / 50 * 50 + max(i % 50 - 1, 0)] + a2[i / 50 * 50 + min(i % 50 * 2, 49)])
//! arg image 2d rgba signed_int8 48 20 expect(min(i % 4 * 40 + (i / 4 % 48), 127))
//! arg image 2d rgba float 50 20 expect(i / 4 % 50 % 3 == 0 ? 0 : a1[i])
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void sideBySide(read_only image2d_t bytes, read_only image2d_t floats, read_only image2d_t shorts,
                       global float4 *a, global float4 *b, global uint *c, write_only image2d_t to,
                       write_only image2d_t some) {
  int x = get_global_id(0), y = get_global_id(1), i = y * 50 + x;
  a[i] = read_imagef(bytes, edge, (float2)(x + 1.5f, y + 0.5f)) + read_imagef(bytes, edge, (int2)(x, y));
  b[i] = read_imagef(floats, border, (int2)(x - 2, y));
  c[i] = read_imageui(shorts, edge, (float2)(x - 0.5f, y + 0.5f)).x + read_imageui(shorts, edge, (int2)(x * 2, y)).x;
  write_imagei(to, (int2)(x, y), min((int4)(0, 40, 80, 120) + x, 127));
  if (x % 3) write_imagef(some, (int2)(x, y), read_imagef(floats, edge, (int2)(x, y)));
}
