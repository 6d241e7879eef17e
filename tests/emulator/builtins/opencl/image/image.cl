// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of the image family as a C function over lists: image_test.cpp compares with image_reference.h.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Coordinates come as (x, y, z), a layer as the last one that the type has.
#define AT_image1d_t(c) (c).x
#define AT_image1d_buffer_t(c) (c).x
#define AT_image1d_array_t(c) (c).xy
#define AT_image2d_t(c) (c).xy
#define AT_image2d_array_t(c) (c)
#define AT_image3d_t(c) (c)
#define AT_image2d_depth_t(c) (c).xy
#define AT_image2d_array_depth_t(c) (c)

#define SAME(v) (v)
#define FROM_HALF(v) convert_float4(v)
#define FROM_DEPTH(v) (float4)(v, 0, 0, 1)
#define TO_HALF(v) convert_half4(v)
#define TO_DEPTH(v) (v).x

#define SAMPLED(T, NAME, ID, V, FROM)                                                                                  \
  void float_##ID##_##T(read_only T image, sampler_t s, global const float4 *at, global V *out, uint n) {              \
    for (uint i = 0; i < n; ++i) out[i] = FROM(read_image##NAME(image, s, AT_##T(at[i])));                             \
  }                                                                                                                    \
  void int_##ID##_##T(read_only T image, sampler_t s, global const int4 *at, global V *out, uint n) {                  \
    for (uint i = 0; i < n; ++i) out[i] = FROM(read_image##NAME(image, s, AT_##T(at[i])));                             \
  }
#define PLAIN(T, A, NAME, ID, V, FROM)                                                                                 \
  void plain_##A##_##ID##_##T(A T image, sampler_t none, global const int4 *at, global V *out, uint n) {                    \
    for (uint i = 0; i < n; ++i) out[i] = FROM(read_image##NAME(image, AT_##T(at[i])));                                \
  }
#define WRITE(T, A, NAME, ID, V, TO)                                                                                   \
  void write_##A##_##ID##_##T(A T image, global const int4 *at, global const V *in, uint n) {                          \
    for (uint i = 0; i < n; ++i) write_image##NAME(image, AT_##T(at[i]), TO(in[i]));                                   \
  }
#define BOTH(T, NAME, ID, V, FROM, TO)                                                                                 \
  PLAIN(T, read_only, NAME, ID, V, FROM)                                                                               \
  PLAIN(T, read_write, NAME, ID, V, FROM)                                                                              \
  WRITE(T, write_only, NAME, ID, V, TO)                                                                                \
  WRITE(T, read_write, NAME, ID, V, TO)
#define COLORS(T)                                                                                                      \
  BOTH(T, f, f, float4, SAME, SAME)                                                                                    \
  BOTH(T, h, h, float4, FROM_HALF, TO_HALF)                                                                            \
  BOTH(T, i, i, int4, SAME, SAME)                                                                                      \
  BOTH(T, ui, ui, uint4, SAME, SAME)
#define SAMPLED_COLORS(T)                                                                                              \
  SAMPLED(T, f, f, float4, SAME)                                                                                       \
  SAMPLED(T, h, h, float4, FROM_HALF)                                                                                  \
  SAMPLED(T, i, i, int4, SAME)                                                                                         \
  SAMPLED(T, ui, ui, uint4, SAME)                                                                                      \
  COLORS(T)
SAMPLED_COLORS(image1d_t)
SAMPLED_COLORS(image1d_array_t)
SAMPLED_COLORS(image2d_t)
SAMPLED_COLORS(image2d_array_t)
SAMPLED_COLORS(image3d_t)
COLORS(image1d_buffer_t)
SAMPLED(image2d_depth_t, f, f, float4, FROM_DEPTH)
SAMPLED(image2d_array_depth_t, f, f, float4, FROM_DEPTH)
BOTH(image2d_depth_t, f, f, float4, FROM_DEPTH, TO_DEPTH)
BOTH(image2d_array_depth_t, f, f, float4, FROM_DEPTH, TO_DEPTH)

// Levels of mipmaps: the level stands where coordinates have no more; gradients follow the coordinates.
#define GRADIENT_image1d_t(c) (c).x
#define GRADIENT_image1d_array_t(c) (c).x
#define GRADIENT_image2d_t(c) (c).xy
#define GRADIENT_image2d_array_t(c) (c).xy
#define GRADIENT_image3d_t(c) (c)
#define GRADIENT_image2d_depth_t(c) (c).xy
#define GRADIENT_image2d_array_depth_t(c) (c).xy
#define LEVELS(T, NAME, ID, V, FROM, TO)                                                                               \
  void level_##ID##_##T(read_only T image, sampler_t s, global const float4 *at, global V *out, uint n) {              \
    for (uint i = 0; i < n; ++i) out[i] = FROM(read_image##NAME(image, s, AT_##T(at[i]), at[i].w));                    \
  }                                                                                                                    \
  void gradient_##ID##_##T(read_only T image, sampler_t s, global const float4 *at, global V *out, uint n) {           \
    for (uint i = 0; i < n; ++i)                                                                                       \
      out[i] = FROM(read_image##NAME(image, s, AT_##T(at[3 * i]), GRADIENT_##T(at[3 * i + 1]),                         \
                                     GRADIENT_##T(at[3 * i + 2])));                                                    \
  }                                                                                                                    \
  void write_level_##ID##_##T(write_only T image, global const int4 *at, global const V *in, uint n) {                 \
    for (uint i = 0; i < n; ++i) write_image##NAME(image, AT_##T(at[i]), at[i].w, TO(in[i]));                          \
  }
#define COLOR_LEVELS(T)                                                                                                \
  LEVELS(T, f, f, float4, SAME, SAME)                                                                                  \
  LEVELS(T, i, i, int4, SAME, SAME)                                                                                    \
  LEVELS(T, ui, ui, uint4, SAME, SAME)                                                                                 \
  int levels_of_##T(read_only T image) { return get_image_num_mip_levels(image); }
COLOR_LEVELS(image1d_t)
COLOR_LEVELS(image1d_array_t)
COLOR_LEVELS(image2d_t)
COLOR_LEVELS(image2d_array_t)
COLOR_LEVELS(image3d_t)
LEVELS(image2d_depth_t, f, f, float4, FROM_DEPTH, TO_DEPTH)
LEVELS(image2d_array_depth_t, f, f, float4, FROM_DEPTH, TO_DEPTH)

void query(read_only image1d_t a, write_only image1d_array_t b, read_write image2d_t c, read_only image2d_array_t d,
           write_only image3d_t e, read_only image1d_buffer_t f, read_only image2d_depth_t g,
           read_write image2d_array_depth_t h, global long *out) {
  *out++ = get_image_width(a);
  *out++ = get_image_channel_order(a) - CLK_R;
  *out++ = get_image_channel_data_type(a) - CLK_SNORM_INT8;
  *out++ = get_image_width(b);
  *out++ = get_image_array_size(b);
  *out++ = get_image_width(c);
  *out++ = get_image_height(c);
  *out++ = get_image_dim(c).x;
  *out++ = get_image_dim(c).y;
  *out++ = get_image_height(d);
  *out++ = get_image_array_size(d);
  *out++ = get_image_dim(d).y;
  *out++ = get_image_depth(e);
  *out++ = get_image_dim(e).x;
  *out++ = get_image_dim(e).y;
  *out++ = get_image_dim(e).z;
  *out++ = get_image_dim(e).w;
  *out++ = get_image_width(f);
  *out++ = get_image_channel_order(g) == CLK_DEPTH;
  *out++ = get_image_height(g);
  *out++ = get_image_array_size(h);
  *out++ = get_image_channel_data_type(h) == CLK_FLOAT;
}
