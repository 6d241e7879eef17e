// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels to numbers. A pixel's channels are first taken in the order of memory and unscaled ("raw"); filters work on
// that, and scaling and ordering come after them, once. What lies outside of the image is raw zero: the alpha of orders
// that have none is supplied while ordering, which gives the border's alpha of 1, and for the padded orders, whose
// border has alpha 0, stands in the raw value.
#pragma once
#include "emulator/builtins/opencl/image/image.h"
#include "emulator/builtins/opencl/image/srgb.h"

US_INLINE uint us_channels(uint order) {
  switch (order) {
  case US_R:
  case US_A:
  case US_INTENSITY:
  case US_LUMINANCE:
  case US_RX:
  case US_DEPTH:
    return 1;
  case US_RG:
  case US_RA:
  case US_RGX:
    return 2;
  case US_RGB:
  case US_RGBX:
  case US_SRGB:
  case US_SRGBX:
    return 3;
  default:
    return 4;
  }
}
US_INLINE bool us_is_srgb(uint order) { return order >= US_SRGB && order <= US_SBGRA; }
US_INLINE bool us_is_padded(uint order) {
  return order == US_RX || order == US_RGX || order == US_RGBX || order == US_SRGBX;
}

// Up to four channels of type T from memory that is aligned for T only.
#define US_LOAD(T)                                                                                                     \
  typedef T us_##T##2 __attribute__((ext_vector_type(2), aligned(sizeof(T))));                                         \
  typedef T us_##T##4 __attribute__((ext_vector_type(4), aligned(sizeof(T))));                                         \
  US_INLINE T##4 us_load_##T(__global const uchar *pixel, uint channels) {                                             \
    __global const T *p = (__global const T *)pixel;                                                                   \
    switch (channels) {                                                                                                \
    case 1:                                                                                                            \
      return (T##4)(p[0], 0, 0, 0);                                                                                    \
    case 2:                                                                                                            \
      return (T##4)(*(__global const us_##T##2 *)p, 0, 0);                                                             \
    case 3:                                                                                                            \
      return (T##4)(p[0], p[1], p[2], 0);                                                                              \
    default:                                                                                                           \
      return *(__global const us_##T##4 *)p;                                                                           \
    }                                                                                                                  \
  }
US_LOAD(char)
US_LOAD(uchar)
US_LOAD(short)
US_LOAD(ushort)
US_LOAD(int)
US_LOAD(uint)
US_LOAD(half)
US_LOAD(float)
#define US_WIDEN(x, T) __builtin_convertvector(x, T)

// "bits 15:11 R, 10:5 G, 4:0 B", "14:10, 9:5, 4:0" and "29:20, 19:10, 9:0", most significant first
US_INLINE float4 us_unpack(uint bits, uint4 shift, uint4 mask) {
  return US_WIDEN(((uint4)(bits) >> shift) & mask, float4);
}
#define US_SHIFT_565 ((uint4)(11, 5, 0, 31))
#define US_MASK_565 ((uint4)(31, 63, 31, 0))
#define US_SHIFT_555 ((uint4)(10, 5, 0, 31))
#define US_MASK_555 ((uint4)(31, 31, 31, 0))
#define US_SHIFT_101010 ((uint4)(20, 10, 0, 31))
#define US_MASK_101010 ((uint4)(1023, 1023, 1023, 0))
#define US_SHIFT_101010_2 ((uint4)(22, 12, 2, 0))
#define US_MASK_101010_2 ((uint4)(1023, 1023, 1023, 3))

// x / n to the last bit for each integer x that the type can hold: x * (1 / n), with the error of 1 / n made good.
#define US_OVER(x, n) __builtin_elementwise_fma(x, (float4)(1 / (float)(n)), (x) * US_RECIPROCAL_ERROR(n))
#define US_RECIPROCAL_ERROR(n) ((float4)((float)(1 / (double)(n) - (double)(1 / (float)(n)))))

/// Raw channels of a pixel that read_imagef may read; zero for the types that it may not.
US_GENERAL float4 us_raw_f(us_image image, __global const uchar *pixel) {
  const uint order = image->order, channels = us_channels(order);
  float4 raw = 0;
  switch (image->type) {
  case US_SNORM_INT8:
    raw = us_most(US_WIDEN(us_load_char(pixel, channels), float4), (float4)(-127));
    break;
  case US_SNORM_INT16:
    raw = us_most(US_WIDEN(us_load_short(pixel, channels), float4), (float4)(-32767));
    break;
  case US_UNORM_INT8:
    raw = US_WIDEN(us_load_uchar(pixel, channels), float4);
    if (us_is_padded(order)) raw.w = 255;
    if (us_is_srgb(order)) raw = (float4)(us_linear_of(us_load_uchar(pixel, channels)), US_OVER(raw, 255).w);
    break;
  case US_UNORM_INT16:
    raw = US_WIDEN(us_load_ushort(pixel, channels), float4);
    if (us_is_padded(order)) raw.w = 65535;
    break;
  case US_UNORM_SHORT_565:
    raw = us_unpack(*(__global const ushort *)pixel, US_SHIFT_565, US_MASK_565);
    if (us_is_padded(order)) raw.w = 1;
    break;
  case US_UNORM_SHORT_555:
    raw = us_unpack(*(__global const ushort *)pixel, US_SHIFT_555, US_MASK_555);
    if (us_is_padded(order)) raw.w = 1;
    break;
  case US_UNORM_INT_101010:
    raw = us_unpack(*(__global const uint *)pixel, US_SHIFT_101010, US_MASK_101010);
    if (us_is_padded(order)) raw.w = 1;
    break;
  case US_UNORM_INT_101010_2:
    raw = us_unpack(*(__global const uint *)pixel, US_SHIFT_101010_2, US_MASK_101010_2);
    break;
  case US_HALF_FLOAT:
    raw = US_WIDEN(us_load_half(pixel, channels), float4);
    if (us_is_padded(order)) raw.w = 1;
    break;
  case US_FLOAT:
    raw = us_load_float(pixel, channels);
    if (us_is_padded(order)) raw.w = 1;
    break;
  }
  return raw;
}

/// Raw channels of a pixel that read_imagei or read_imageui may read.
US_GENERAL int4 us_raw_i(us_image image, __global const uchar *pixel) {
  const uint channels = us_channels(image->order);
  switch (image->type) {
  case US_SIGNED_INT8:
    return US_WIDEN(us_load_char(pixel, channels), int4);
  case US_SIGNED_INT16:
    return US_WIDEN(us_load_short(pixel, channels), int4);
  case US_UNSIGNED_INT8:
    return US_WIDEN(us_load_uchar(pixel, channels), int4);
  case US_UNSIGNED_INT16:
    return US_WIDEN(us_load_ushort(pixel, channels), int4);
  case US_SIGNED_INT32:
  case US_UNSIGNED_INT32:
    return us_load_int(pixel, channels);
  default:
    return 0;
  }
}

// Channels in the order of memory to those of the language.
#define US_ORDER(V)                                                                                                    \
  US_INLINE V us_ordered(V raw, uint order) {                                                                          \
    switch (order) {                                                                                                   \
    case US_R:                                                                                                         \
    case US_DEPTH:                                                                                                     \
      return (V)(raw.x, 0, 0, 1);                                                                                      \
    case US_A:                                                                                                         \
      return (V)(0, 0, 0, raw.x);                                                                                      \
    case US_RG:                                                                                                        \
      return (V)(raw.x, raw.y, 0, 1);                                                                                  \
    case US_RA:                                                                                                        \
      return (V)(raw.x, 0, 0, raw.y);                                                                                  \
    case US_RGB:                                                                                                       \
    case US_SRGB:                                                                                                      \
      return (V)(raw.xyz, 1);                                                                                          \
    case US_BGRA:                                                                                                      \
    case US_SBGRA:                                                                                                     \
      return raw.zyxw;                                                                                                 \
    case US_ARGB:                                                                                                      \
      return raw.yzwx;                                                                                                 \
    case US_ABGR:                                                                                                      \
      return raw.wzyx;                                                                                                 \
    case US_INTENSITY:                                                                                                 \
      return raw.xxxx;                                                                                                 \
    case US_LUMINANCE:                                                                                                 \
      return (V)(raw.xxx, 1);                                                                                          \
    default: /* RGBA, and the padded orders */                                                                         \
      return raw;                                                                                                      \
    }                                                                                                                  \
  }
US_ORDER(float4)
US_ORDER(int4)

/// A filtered or unfiltered raw value as read_imagef returns it.
US_INLINE float4 us_color(us_image image, float4 raw) {
  const uint order = image->order;
  switch (image->type) {
  case US_SNORM_INT8:
    raw = US_OVER(raw, 127);
    break;
  case US_SNORM_INT16:
    raw = US_OVER(raw, 32767);
    break;
  case US_UNORM_INT8:
    if (!us_is_srgb(order)) raw = US_OVER(raw, 255);
    break;
  case US_UNORM_INT16:
    raw = US_OVER(raw, 65535);
    break;
  case US_UNORM_SHORT_565:
    raw = (float4)(US_OVER(raw, 31).x, US_OVER(raw, 63).y, US_OVER(raw, 31).z, raw.w);
    break;
  case US_UNORM_SHORT_555:
    raw.xyz = US_OVER(raw, 31).xyz;
    break;
  case US_UNORM_INT_101010:
    raw.xyz = US_OVER(raw, 1023).xyz;
    break;
  case US_UNORM_INT_101010_2:
    raw = (float4)(US_OVER(raw, 1023).xyz, US_OVER(raw, 3).w);
    break;
  }
  return us_ordered(raw, order);
}
