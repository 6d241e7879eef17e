// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pixels a coordinate selects, by the formulas of the specification's "Image addressing and filtering", one
// direction at a time: what is calculated of a direction is then a number of its own, of which code generation may know
// how it differs between work-items (split_at_borders). A direction that the image does not have is of size 1, and its
// coordinate is 0.
//
// Every place is brought inside of the image before anything is loaded, whatever the coordinate: where the
// specification leaves a result undefined it is some pixel's.
#pragma once
#include "emulator/builtins/opencl/image/format.h"

/// The layer of an array: "clamp(rint(w), 0, depth - 1)"; it is not filtered, and no sampler's mode applies to it.
US_INLINE int us_layer(float coordinate, int layers) {
  return (int)us_most(us_least(__builtin_elementwise_rint(coordinate), (float)(layers - 1)), 0.0f);
}

/// "REPEAT and MIRRORED_REPEAT ... can only be used with normalized coordinates".
US_INLINE uint us_addressing(ulong sampler) {
  const uint addressing = US_ADDRESSING(sampler);
  return !US_NORMALIZED(sampler) && addressing > US_CLAMP ? US_CLAMP_TO_EDGE : addressing;
}

/// The pixel that CLK_FILTER_NEAREST selects; outside of the image for the border (CLAMP).
US_INLINE int us_nearest(float at, int size, ulong sampler) {
  const float length = (float)size;
  float u;
  int pixel;
  switch (us_addressing(sampler)) {
  case US_REPEAT: // "u = (s - floor(s)) * w; i = (int)floor(u); if (i > w - 1) i = i - w"
    u = us_most((at - __builtin_elementwise_floor(at)) * length, 0.0f);
    pixel = (int)u;
    return pixel >= size ? 0 : pixel;
  case US_MIRRORED_REPEAT: // "s' = fabs(s - 2.0f * rint(0.5f * s)); u = s' * w; i = min((int)floor(u), w - 1)"
    u = __builtin_elementwise_abs(at - 2.0f * __builtin_elementwise_rint(0.5f * at)) * length;
    return __builtin_elementwise_min((int)us_most(u, 0.0f), size - 1);
  case US_CLAMP: // "clamp(coord, -1, size)"
    u = US_NORMALIZED(sampler) ? at * length : at;
    return (int)__builtin_elementwise_floor(us_most(us_least(u, length), -1.0f));
  default: // "clamp(coord, 0, size - 1)"
    u = US_NORMALIZED(sampler) ? at * length : at;
    return (int)us_most(us_least(u, length - 1), 0.0f);
  }
}
/// Of `dimensions` directions.
US_INLINE int4 us_nearest_pixel(float4 at, int4 size, ulong sampler, uint dimensions, int layer) {
  return (int4)(us_nearest(at.x, size.x, sampler), dimensions < 2 ? 0 : us_nearest(at.y, size.y, sampler),
                dimensions < 3 ? layer : us_nearest(at.z, size.z, sampler), 0);
}

/// The two pixels of a direction that CLK_FILTER_LINEAR mixes, and how much of the second.
typedef struct {
  int low, high;
  float fraction;
} us_neighbours;

US_INLINE us_neighbours us_linear(float at, int size, ulong sampler) {
  const float length = (float)size;
  us_neighbours result;
  float u, low;
  switch (us_addressing(sampler)) {
  case US_REPEAT: // "if (i0 < 0) i0 = w + i0; if (i1 > w - 1) i1 = i1 - w"
    u = us_most((at - __builtin_elementwise_floor(at)) * length - 0.5f, -0.5f);
    low = __builtin_elementwise_floor(u);
    result.low = (int)low;
    result.high = result.low + 1;
    result.high = result.high >= size ? result.high - size : result.high;
    result.low = result.low < 0 ? result.low + size : result.low;
    break;
  case US_MIRRORED_REPEAT: // "i0 = max(i0, 0); i1 = min(i1, w - 1)"
    u = __builtin_elementwise_abs(at - 2.0f * __builtin_elementwise_rint(0.5f * at)) * length - 0.5f;
    u = us_most(u, -0.5f);
    low = __builtin_elementwise_floor(u);
    result.low = (int)low;
    result.high = __builtin_elementwise_min(result.low + 1, size - 1);
    result.low = __builtin_elementwise_max(result.low, 0);
    break;
  default: // Beyond -2 and the size both are outside, or both the edge: what is further away need not be told apart.
    u = (US_NORMALIZED(sampler) ? at * length : at) - 0.5f;
    u = us_most(us_least(u, length), -2.0f);
    low = __builtin_elementwise_floor(u);
    result.low = (int)low;
    result.high = result.low + 1;
    if (us_addressing(sampler) != US_CLAMP) {
      result.low = us_clamp(result.low, size);
      result.high = us_clamp(result.high, size);
    }
  }
  result.fraction = u - low;
  return result;
}

// The raw value of a place that may be outside of the image; raw zero there if there is a border.
#define US_FETCH(V, RAW)                                                                                               \
  US_INLINE V us_fetch_##RAW(us_image image, int4 at, int4 size, bool border) {                                        \
    if (!border) return us_raw_##RAW(image, us_pixel(image, at));                                                      \
    const V raw = us_raw_##RAW(image, us_pixel(image, us_clamp(at, size)));                                            \
    return us_inside(at, size) ? raw : (V)(0);                                                                         \
  }
US_FETCH(float4, f)
US_FETCH(int4, i)

/// "T = (1 - a) * T0 + a * T1" of pixels beside each other.
US_INLINE float4 us_row(us_image image, us_neighbours x, int4 size, bool border, int layer) {
  const float4 first = us_fetch_f(image, (int4)(x.low, 0, layer, 0), size, border);
  const float4 second = us_fetch_f(image, (int4)(x.high, 0, layer, 0), size, border);
  return __builtin_elementwise_fma(second, (float4)(x.fraction), first * (1 - x.fraction));
}
/// "T = (1 - a) * (1 - b) * T00 + a * (1 - b) * T10 + (1 - a) * b * T01 + a * b * T11"
US_INLINE float4 us_square(us_image image, us_neighbours x, us_neighbours y, int4 size, bool border, int z) {
  const float left = 1 - x.fraction, right = x.fraction, above = 1 - y.fraction, below = y.fraction;
  float4 sum = us_fetch_f(image, (int4)(x.low, y.low, z, 0), size, border) * (left * above);
  sum = __builtin_elementwise_fma(us_fetch_f(image, (int4)(x.high, y.low, z, 0), size, border), (float4)(right * above),
                                  sum);
  sum = __builtin_elementwise_fma(us_fetch_f(image, (int4)(x.low, y.high, z, 0), size, border), (float4)(left * below),
                                  sum);
  return __builtin_elementwise_fma(us_fetch_f(image, (int4)(x.high, y.high, z, 0), size, border),
                                   (float4)(right * below), sum);
}

/// Filters `dimensions` directions; the one after them is a layer if the image is an array. What a 1D array's
/// coordinates have as layer stands in z.
US_GENERAL float4 us_sample_f(us_image image, ulong sampler, float4 at, uint dimensions, bool array) {
  const int4 size = us_size(image);
  const int layer = array ? us_layer(at.z, size.z) : 0;
  if (array) at.z = 0;
  const bool border = US_ADDRESSING(sampler) == US_CLAMP;
  if (!US_LINEAR(sampler)) {
    const int4 pixel = us_nearest_pixel(at, size, sampler, dimensions, layer);
    return us_color(image, us_fetch_f(image, pixel, size, border));
  }
  const us_neighbours x = us_linear(at.x, size.x, sampler);
  if (dimensions == 1) return us_color(image, us_row(image, x, size, border, layer));
  const us_neighbours y = us_linear(at.y, size.y, sampler);
  if (dimensions == 2) return us_color(image, us_square(image, x, y, size, border, layer));
  const us_neighbours z = us_linear(at.z, size.z, sampler);
  float4 raw = us_square(image, x, y, size, border, z.low) * (1 - z.fraction);
  raw = __builtin_elementwise_fma(us_square(image, x, y, size, border, z.high), (float4)(z.fraction), raw);
  return us_color(image, raw);
}

/// "The read_image{i|ui} calls support a nearest filter only": the other one is not looked at.
US_GENERAL int4 us_sample_i(us_image image, ulong sampler, float4 at, uint dimensions, bool array) {
  const int4 size = us_size(image);
  const int layer = array ? us_layer(at.z, size.z) : 0;
  if (array) at.z = 0;
  const int4 pixel = us_nearest_pixel(at, size, sampler, dimensions, layer);
  const bool border = US_ADDRESSING(sampler) == US_CLAMP;
  return us_ordered(us_fetch_i(image, pixel, size, border), image->order);
}

// Integer coordinates are pixels, whatever else the sampler says. A layer is never outside.
#define US_READ(V, RAW, FINISH)                                                                                        \
  US_GENERAL V us_read_##RAW(us_image image, ulong sampler, int4 at, bool array) {                                     \
    const int4 size = us_size(image);                                                                                  \
    if (array) at.z = us_clamp(at, size).z;                                                                            \
    const bool border = US_ADDRESSING(sampler) == US_CLAMP;                                                            \
    const V raw = us_fetch_##RAW(image, border ? at : us_clamp(at, size), size, border);                               \
    return FINISH;                                                                                                     \
  }
US_READ(float4, f, us_color(image, raw))
US_READ(int4, i, us_ordered(raw, image->order))

#define US_AS_FLOAT(v) (v)
#define US_AS_DEPTH(v) ((v).x)
#define US_AS_INT(v) (v)
#define US_AS_UINT(v) __builtin_astype(v, uint4)
#define US_AS_HALF(v) __builtin_convertvector(v, half4)
