// More image and sampler arguments than code is made for: the last images are read and written by functions that look at
// the descriptor, with a sampler that is known and with one that is not.
//! kernel many
//! global 4
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg sampler clamp_to_edge nearest
//! arg image 2d bgra unorm_int8 2 2 fill(40 + i)
//! arg image 2d rgba snorm_int8 2 2 fill(i * 5)
//! arg image 2d ra half_float 2 2 fill(i + 0.5)
//! arg sampler normalized repeat linear
//! arg image 2d argb unorm_int8 2 2 expect(i % 4 == 0 ? 255 : i % 4 == 1 ? 51 * (i / 4) : i % 4 == 2 ? 0 : 255)
//! arg buffer float 4 expect(a15[i * 4 + 2] / 255.0 + a16[i * 4] / 127.0 + a17[(3 - i) * 2 + 1]) tolerance(0.000001)
kernel void many(sampler_t s0, sampler_t s1, sampler_t s2, sampler_t s3, sampler_t s4, sampler_t s5, sampler_t s6, sampler_t s7, sampler_t s8, sampler_t s9, sampler_t s10, sampler_t s11, sampler_t s12, sampler_t s13, sampler_t s14,
                 read_only image2d_t a, read_only image2d_t b, read_only image2d_t c, sampler_t s, write_only image2d_t d,
                 global float *out) {
  const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
  int i = get_global_id(0);
  float2 at = (float2)(i % 2, i / 2) + 0.5f;
  out[i] = read_imagef(a, s0, at).x + read_imagef(b, border, at).x + read_imagef(c, s, at / 2 + 3.5f).w;
  write_imagef(d, (int2)(i % 2, i / 2), (float4)(0.2f * i, -3.0f, 7.0f, 1.0f));
}
