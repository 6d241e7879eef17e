// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_image: colour channels into the order of memory, scaled, rounded to the nearest and saturated
// ("convert_uchar_sat_rte(f * 255.0f)" and so on), and stored. A write outside of the image does nothing.
#include "emulator/builtins/opencl/image/format.h"

// Channels of the language to those in the order of memory.
#define US_UNORDER(V)                                                                                                  \
  US_INLINE V us_unordered(V color, uint order) {                                                                      \
    switch (order) {                                                                                                   \
    case US_A:                                                                                                         \
      return color.wwww;                                                                                               \
    case US_RA:                                                                                                        \
      return color.xwww;                                                                                               \
    case US_BGRA:                                                                                                      \
    case US_SBGRA:                                                                                                     \
      return color.zyxw;                                                                                               \
    case US_ARGB:                                                                                                      \
      return color.wxyz;                                                                                               \
    case US_ABGR:                                                                                                      \
      return color.wzyx;                                                                                               \
    default: /* the first one to four channels */                                                                      \
      return color;                                                                                                    \
    }                                                                                                                  \
  }
US_UNORDER(float4)
US_UNORDER(int4)
US_UNORDER(uint4)

#define US_STORE(T)                                                                                                    \
  US_INLINE void us_store_##T(__global uchar *pixel, T##4 value, uint channels) {                                      \
    __global T *p = (__global T *)pixel;                                                                               \
    switch (channels) {                                                                                                \
    case 1:                                                                                                            \
      p[0] = value.x;                                                                                                  \
      break;                                                                                                           \
    case 2:                                                                                                            \
      *(__global us_##T##2 *)p = value.xy;                                                                             \
      break;                                                                                                           \
    case 3:                                                                                                            \
      p[0] = value.x, p[1] = value.y, p[2] = value.z;                                                                  \
      break;                                                                                                           \
    default:                                                                                                           \
      *(__global us_##T##4 *)p = value;                                                                                \
      break;                                                                                                           \
    }                                                                                                                  \
  }
US_STORE(uchar)
US_STORE(ushort)
US_STORE(uint)
US_STORE(half)
US_STORE(float)

/// round(value * scale) within [least, most], a value that is not a number as 0.
US_INLINE int4 us_rounded(float4 value, float4 scale, float4 least, float4 most) {
  value = value == value ? value * scale : (float4)(0);
  return US_WIDEN(__builtin_elementwise_rint(us_most(us_least(value, most), least)), int4);
}
US_INLINE uint4 us_code(float4 value, float4 most) {
  return US_WIDEN(us_rounded(value, most, (float4)(0), most), uint4);
}
US_INLINE uint us_packed(uint4 codes, uint4 shift) {
  codes <<= shift;
  return codes.x | codes.y | codes.z | codes.w;
}
US_INLINE int4 us_within(int4 value, int least, int most) {
  return __builtin_elementwise_max(__builtin_elementwise_min(value, (int4)(most)), (int4)(least));
}

US_GENERAL void us_put_f(us_image image, __global uchar *pixel, float4 color) {
  const uint order = image->order, channels = us_channels(order);
  color = us_unordered(color, order);
  uint4 codes;
  switch (image->type) {
  case US_SNORM_INT8:
    us_store_uchar(pixel, US_WIDEN(us_rounded(color, (float4)(127), (float4)(-128), (float4)(127)), uchar4), channels);
    break;
  case US_SNORM_INT16:
    us_store_ushort(pixel, US_WIDEN(us_rounded(color, (float4)(32767), (float4)(-32768), (float4)(32767)), ushort4),
                    channels);
    break;
  case US_UNORM_INT8:
    codes = us_code(color, (float4)(255));
    if (us_is_srgb(order)) codes.xyz = (uint3)(us_srgb_of(color.x), us_srgb_of(color.y), us_srgb_of(color.z));
    us_store_uchar(pixel, US_WIDEN(codes, uchar4), channels);
    break;
  case US_UNORM_INT16:
    us_store_ushort(pixel, US_WIDEN(us_code(color, (float4)(65535)), ushort4), channels);
    break;
  case US_UNORM_SHORT_565:
    codes = us_code(color, (float4)(31, 63, 31, 0));
    *(__global ushort *)pixel = (ushort)us_packed(codes, US_SHIFT_565);
    break;
  case US_UNORM_SHORT_555:
    codes = us_code(color, (float4)(31, 31, 31, 0));
    *(__global ushort *)pixel = (ushort)us_packed(codes, US_SHIFT_555);
    break;
  case US_UNORM_INT_101010:
    codes = us_code(color, (float4)(1023, 1023, 1023, 0));
    *(__global uint *)pixel = us_packed(codes, US_SHIFT_101010);
    break;
  case US_UNORM_INT_101010_2:
    codes = us_code(color, (float4)(1023, 1023, 1023, 3));
    *(__global uint *)pixel = us_packed(codes, US_SHIFT_101010_2);
    break;
  case US_HALF_FLOAT:
    us_store_half(pixel, US_WIDEN(color, half4), channels);
    break;
  case US_FLOAT:
    us_store_float(pixel, color, channels);
    break;
  }
}

US_GENERAL void us_put_i(us_image image, __global uchar *pixel, int4 color) {
  const uint channels = us_channels(image->order);
  color = us_unordered(color, image->order);
  switch (image->type) {
  case US_SIGNED_INT8:
    us_store_uchar(pixel, US_WIDEN(us_within(color, -128, 127), uchar4), channels);
    break;
  case US_SIGNED_INT16:
    us_store_ushort(pixel, US_WIDEN(us_within(color, -32768, 32767), ushort4), channels);
    break;
  case US_SIGNED_INT32:
    us_store_uint(pixel, US_WIDEN(color, uint4), channels);
    break;
  }
}

US_GENERAL void us_put_ui(us_image image, __global uchar *pixel, uint4 color) {
  const uint channels = us_channels(image->order);
  color = us_unordered(color, image->order);
  switch (image->type) {
  case US_UNSIGNED_INT8:
    us_store_uchar(pixel, US_WIDEN(__builtin_elementwise_min(color, (uint4)(255)), uchar4), channels);
    break;
  case US_UNSIGNED_INT16:
    us_store_ushort(pixel, US_WIDEN(__builtin_elementwise_min(color, (uint4)(65535)), ushort4), channels);
    break;
  case US_UNSIGNED_INT32:
    us_store_uint(pixel, color, channels);
    break;
  }
}

#define US_WRITE_AS(V, NAME, PUT, COLOR, T, A, N, AT)                                                                  \
  US_OVERLOAD void write_image##NAME(A T opaque, int##N coord, V color) {                                              \
    const us_image image = us_of(opaque);                                                                              \
    const int4 at = AT(int4, coord);                                                                                   \
    if (us_inside(at, us_size(image))) us_put_##PUT(image, us_pixel(image, at), COLOR);                                \
  }
// Of each type of a color, by US_WRITE_AS or US_WRITE_LEVEL.
#define US_COLOR_WRITES(WRITE, T, A, N, AT)                                                                            \
  WRITE(float4, f, f, color, T, A, N, AT)                                                                              \
  WRITE(half4, h, f, US_WIDEN(color, float4), T, A, N, AT)                                                             \
  WRITE(int4, i, i, color, T, A, N, AT)                                                                                \
  WRITE(uint4, ui, ui, color, T, A, N, AT)
#define US_WRITES(T, N, DIMENSIONS, ARRAY, AT, A) US_COLOR_WRITES(US_WRITE_AS, T, A, N, AT)
#define US_DEPTH_WRITES(T, N, DIMENSIONS, ARRAY, AT, A) US_WRITE_AS(float, f, f, (float4)(color, 0, 0, 1), T, A, N, AT)
US_COLOR_TYPES(US_WRITES, write_only)
US_COLOR_TYPES(US_WRITES, read_write)
US_DEPTH_TYPES(US_DEPTH_WRITES, write_only)
US_DEPTH_TYPES(US_DEPTH_WRITES, read_write)

// cl_khr_mipmap_image_writes. A level that the image has not is outside of it.
#define US_WRITE_LEVEL(V, NAME, PUT, COLOR, T, A, N, AT)                                                               \
  US_OVERLOAD void write_image##NAME(A T opaque, int##N coord, int lod, V color) {                                     \
    const us_image image = us_of(opaque);                                                                              \
    if ((uint)lod >= image->mipLevels) return;                                                                         \
    const us_image level = image + (uint)lod;                                                                          \
    const int4 at = AT(int4, coord);                                                                                   \
    if (us_inside(at, us_size(level))) us_put_##PUT(image, us_pixel(level, at), COLOR);                                \
  }
#define US_LEVEL_WRITES(T, N, DIMENSIONS, ARRAY, AT, A) US_COLOR_WRITES(US_WRITE_LEVEL, T, A, N, AT)
#define US_DEPTH_LEVEL_WRITES(T, N, DIMENSIONS, ARRAY, AT, A)                                                          \
  US_WRITE_LEVEL(float, f, f, (float4)(color, 0, 0, 1), T, A, N, AT)
US_SAMPLED_TYPES(US_LEVEL_WRITES, write_only)
US_SAMPLED_TYPES(US_LEVEL_WRITES, read_write)
US_DEPTH_TYPES(US_DEPTH_LEVEL_WRITES, write_only)
US_DEPTH_TYPES(US_DEPTH_LEVEL_WRITES, read_write)
