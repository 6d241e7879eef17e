// Linear filters along rows that are longer than vectors: at offsets that settle where pixels lie (a quarter), that are
// rounded (0.3, which is compared with what the specification's formula gives), and far outside. The contents are a
// plane, so that between pixels the filter gives the plane again.
//! kernel rows
//! global 304 6
//! local 16 2
//! arg image 2d r float 304 6 fill(i % 304 * 8 + i / 304 * 2)
//! arg image 2d rgba unorm_int8 304 6 fill(i * 7 % 256)
//! arg value float 0.75
//! arg value float 0.3
//! arg value float 100000
//! arg buffer float 1824 expect(8 * (min(i % 304 + 0.25, 303) + max(min(i % 304 - 0.75, 303), 0) + min(i % 304 + 1.25, 303)) + 6 * min(i / 304 + 0.25, 5))
//! arg buffer float 1824 expect(8 * max(min(i % 304 - 0.2, 303), 0) + 2 * max(i / 304 - 0.2, 0)) tolerance(0.00002)
//! arg buffer float 1824 expect(303 * 8 + 2 * (i / 304))
//! arg buffer float 7296 expect(((a1[i / 1216 * 1216 + max(i / 4 % 304 - 1, 0) * 4 + i % 4] + a1[i]) * 0.5 + (a1[i / 1216 * 1216 + min(i / 4 % 304 + 1, 303) * 4 + i % 4] + a1[i]) * 0.5) / 255) tolerance(0.0000005)
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void rows(read_only image2d_t plane, read_only image2d_t bytes, float quarter, float third, float far,
                 global float *a, global float *b, global float *c, global float4 *d) {
  int x = get_global_id(0), y = get_global_id(1), i = y * 304 + x;
  float sum = 0;
  float4 both = 0;
  for (int n = -1; n <= 1; ++n) sum += read_imagef(plane, edge, (float2)(x + n + quarter, y + quarter)).x;
  for (int n = 0; n < 2; ++n) both += read_imagef(bytes, edge, (float2)(x + n, y + 0.5f));
  a[i] = sum;
  b[i] = read_imagef(plane, edge, (float2)(x + third, y + third)).x;
  c[i] = read_imagef(plane, edge, (float2)(x + far, y + 0.5f)).x;
  d[i] = both;
}
