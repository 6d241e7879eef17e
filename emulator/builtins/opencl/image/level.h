// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_mipmap_image: which level of a mipmap a read with a level of detail or with gradients looks into. Each level
// has a descriptor of its own, behind the first.
#pragma once
#include "emulator/builtins/opencl/image/sample.h"

#define US_LEVEL(image, level) ((image) + (level))

/// The level of detail within what the sampler allows and the image has. What is not a number counts as the least.
US_INLINE float us_detail(us_image image, ulong sampler, float detail) {
  const float least = US_LEAST_LEVEL(sampler), most = US_MOST_LEVEL(sampler), last = (float)(image->mipLevels - 1);
  detail = detail > least ? detail : least;
  detail = detail < most ? detail : most;
  return detail > 0 ? (detail < last ? detail : last) : 0;
}
/// "CL_FILTER_NEAREST - Use the nearest mipmap level".
US_INLINE uint us_nearest_level(us_image image, ulong sampler, float detail) {
  return (uint)(us_detail(image, sampler, detail) + 0.5f);
}

/// The base-2 logarithm of a number that is not negative, to 1e-6 of a level; of 0 what is less than any level.
US_INLINE float us_log2(float x) {
  const uint bits = as_uint(x);
  // The mantissa is from the root of 1/2 to that of 2: the series of atanh converges at once.
  const uint shifted = bits - 0x3f3504f3;
  const float exponent = (float)((int)shifted >> 23), m = as_float((shifted & 0x7fffff) + 0x3f3504f3);
  const float t = (m - 1) / (m + 1), square = t * t;
  return exponent + 2.8853900817779268f * t *
                        (1 + square * (1.0f / 3 + square * (1.0f / 5 + square * (1.0f / 7 + square * (1.0f / 9)))));
}
US_INLINE float us_sum_of_squares(float4 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
/// The logarithm of the longer one of the two steps, in pixels of the first level.
US_INLINE float us_detail_of(us_image image, float4 x, float4 y) {
  const float4 size = (float4)(image->width, image->height, image->depth, 0);
  const float first = us_sum_of_squares(x * size), second = us_sum_of_squares(y * size);
  return 0.5f * us_log2(first > second ? first : second);
}

// Gradients of one to three directions; what stands in the fourth place is not looked at.
US_INLINE float4 us_gradient(float x) { return (float4)(x, 0, 0, 0); }
US_INLINE float4 us_gradient(float2 x) { return (float4)(x, 0, 0); }
US_INLINE float4 us_gradient(float4 x) { return (float4)(x.xyz, 0); }

/// "CL_FILTER_LINEAR - Use a weighted average of the two mipmap levels".
US_GENERAL float4 us_sample_level_f(us_image image, ulong sampler, float4 at, float detail, uint dimensions,
                                    bool array) {
  if (!US_MIXES_LEVELS(sampler))
    return us_sample_f(US_LEVEL(image, us_nearest_level(image, sampler, detail)), sampler, at, dimensions, array);
  detail = us_detail(image, sampler, detail);
  const uint number = (uint)detail;
  const float weight = detail - (float)number;
  const float4 first = us_sample_f(US_LEVEL(image, number), sampler, at, dimensions, array);
  if (weight == 0) return first; // and there may be no other level
  const float4 second = us_sample_f(US_LEVEL(image, number + 1), sampler, at, dimensions, array);
  return __builtin_elementwise_fma(second, (float4)(weight), first * (1 - weight));
}
US_GENERAL int4 us_sample_level_i(us_image image, ulong sampler, float4 at, float detail, uint dimensions, bool array) {
  return us_sample_i(US_LEVEL(image, us_nearest_level(image, sampler, detail)), sampler, at, dimensions, array);
}

// read_image<NAME> with a level of detail and with gradients.
#define US_LEVEL_READ(A, T, N, G, DIMENSIONS, ARRAY, AT, RESULT, NAME, RAW, AS)                                        \
  US_OVERLOAD RESULT read_image##NAME(A T opaque, sampler_t s, float##N coord, float lod) {                            \
    return AS(us_sample_level_##RAW(us_of(opaque), us_sampler(s), AT(float4, coord), lod, DIMENSIONS, ARRAY));         \
  }                                                                                                                    \
  US_OVERLOAD RESULT read_image##NAME(A T opaque, sampler_t s, float##N coord, float##G x, float##G y) {               \
    const us_image image = us_of(opaque);                                                                              \
    const float lod = us_detail_of(image, us_gradient(x), us_gradient(y));                                             \
    return AS(us_sample_level_##RAW(image, us_sampler(s), AT(float4, coord), lod, DIMENSIONS, ARRAY));                 \
  }
