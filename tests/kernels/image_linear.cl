// Linear filter with the sampler as an argument, as a program-scope constant and as a variable, the image through a
// function. The contents are a plane, so that between pixels the filter gives the plane again, and the edge outside.
//! kernel linear
//! global 16 16
//! arg image 2d r float 16 16 fill(i)
//! arg sampler clamp_to_edge linear
//! arg buffer float 256 expect(min(i % 16 + 0.25, 15) + 16 * min(i / 16 + 0.25, 15))
//! arg buffer float 256 expect(i % 16 == 15 ? (i / 16 == 15 ? 255 * 0.5625 : (i + 4) * 0.75) : i / 16 == 15 ? (i + 0.25) * 0.75 : i + 4.25)
//! arg buffer float 256 expect((i % 16 == 0 ? 3.75 : i % 16 - 0.25) + 16 * (i / 16 == 0 ? 3.75 : i / 16 - 0.25)) tolerance(0.000002)
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
float at(read_only image2d_t image, sampler_t sampler, float2 place) { return read_imagef(image, sampler, place).x; }
kernel void linear(read_only image2d_t image, sampler_t edge, global float *a, global float *b, global float *c) {
  const sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
  size_t i = get_global_id(1) * 16 + get_global_id(0);
  float2 place = (float2)(get_global_id(0), get_global_id(1));
  a[i] = at(image, edge, place + 0.75f);
  b[i] = at(image, border, place + 0.75f);
  c[i] = at(image, repeat, (place + 0.25f) / 16);
}
