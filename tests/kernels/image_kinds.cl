// Every kind of image: what it says of itself, an integer read, a write; layers are clamped.
//! kernel kinds
//! options -cl-std=CL3.0
//! global 6
//! arg image 1d r signed_int8 6 fill(i - 3)
//! arg image 1d_buffer rg signed_int16 6 fill(i * 100)
//! arg image 1d_array r signed_int32 6 4 fill(i)
//! arg image 2d_array r signed_int16 6 5 4 fill(i)
//! arg image 3d r signed_int16 6 5 4 fill(i)
//! arg image 2d depth float 6 5 fill(i / 2.0)
//! arg image 3d rgba signed_int8 6 1 1 expect(i % 4 == 0 ? i / 4 : i % 4 == 1 ? 127 : i % 4 == 2 ? -128 : 1)
//! arg buffer int 36 expect(i % 6 == 0 ? i / 6 - 3 : i % 6 == 1 ? (i / 6 * 2 + 1) * 100 : i % 6 == 2 ? i / 6 + 18 : i % 6 == 3 ? i / 6 + 60 + 12 : i % 6 == 4 ? i / 6 + 60 + 12 : (i / 6 + 12) * 5)
//! arg buffer int 12 expect(i < 6 ? 6 : i == 6 ? 4 : i == 7 ? 5 : i == 8 ? 4 : i == 9 ? 5 : i == 10 ? 4 : 0x10d7)
kernel void kinds(read_only image1d_t a, read_only image1d_buffer_t b, read_only image1d_array_t c,
                  read_only image2d_array_t d, read_only image3d_t e, read_only image2d_depth_t f,
                  write_only image3d_t to, global int *values, global int *facts) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int x = get_global_id(0);
  values += x * 6;
  values[0] = read_imagei(a, x).x;
  values[1] = read_imagei(b, x).y;
  values[2] = read_imagei(c, s, (float2)(x + 0.5f, 7)).x;
  values[3] = read_imagei(d, s, (float4)(x + 0.5f, 2.5f, 2.4f, 0)).x;
  values[4] = read_imagei(e, s, (int4)(x, 2, 2, 0)).x;
  values[5] = (int)(read_imagef(f, s, (float2)(x + 0.5f, 2.5f)) * 10);
  write_imagei(to, (int4)(x, 0, 0, 0), (int4)(x, 1000, -1000, 1));
  if (x) return;
  facts[0] = get_image_width(a), facts[1] = get_image_width(b), facts[2] = get_image_width(c);
  facts[3] = get_image_width(d), facts[4] = get_image_width(e), facts[5] = get_image_width(f);
  facts[6] = get_image_array_size(c), facts[7] = get_image_height(d), facts[8] = get_image_array_size(d);
  facts[9] = get_image_dim(e).y, facts[10] = get_image_depth(e), facts[11] = get_image_channel_data_type(a);
}
