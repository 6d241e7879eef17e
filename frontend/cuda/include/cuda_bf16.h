// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brain floats: __nv_bfloat16 and its pair over the compiler's __bf16.
#pragma once

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __CUDA_BF16_H__

#include "crt/host_defines.h"
#include "vector_types.h"

/* In C there are the bits. */
typedef struct __align__(2) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __align__(4) {
  unsigned short x, y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)
#if !defined(__CUDA__)
#include <math.h>
#endif
#if !defined(__clang__) && !defined(__CUDA__)
#include "understudy/small_value.h"
#endif

extern "C++" {
#define US_T __nv_bfloat16
#define US_T2 __nv_bfloat162
#define US_RAW __nv_bfloat16_raw
#define US_RAW2 __nv_bfloat162_raw
#if defined(__clang__) || defined(__CUDA__)
#define US_V __bf16
#else
#define US_V us_small_value<US_EXPONENT>
#endif
#define US_EXPONENT 8
#define US_V2 us_bfloat16_pair
#define US_X bfloat16
#define US_X2 bfloat162
#include "understudy/small_float.inc"

__host__ __device__ inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
__host__ __device__ inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
// Toward zero the low half of the f32 is cut off; the others add one unit where something was cut off on their side.
__host__ __device__ inline __nv_bfloat16 us_bfloat16Bits(unsigned int bits, bool away) {
  __nv_bfloat16 result;
  const bool number = (bits & 0x7f800000u) != 0x7f800000u;
  result.__x = (unsigned short)((bits >> 16) + (away && number && (bits & 0xffffu) != 0 ? 1 : 0));
  if (!number && (bits & 0x007fffffu) != 0) result.__x = 0x7fff;
  return result;
}
__host__ __device__ inline __nv_bfloat16 __float2bfloat16_rz(float x) {
  return us_bfloat16Bits(__builtin_bit_cast(unsigned int, x), false);
}
__host__ __device__ inline __nv_bfloat16 __float2bfloat16_ru(float x) {
  return us_bfloat16Bits(__builtin_bit_cast(unsigned int, x), x > 0.0f);
}
__host__ __device__ inline __nv_bfloat16 __float2bfloat16_rd(float x) {
  return us_bfloat16Bits(__builtin_bit_cast(unsigned int, x), x < 0.0f);
}
}

#if defined(__clang__) && !defined(__CUDA_ARCH__)
// What Clang calls on hosts without such conversions, and GCC's library has since GCC 13 only: to nearest, ties to
// even.
extern "C" __attribute__((weak)) __host__ __bf16 __truncsfbf2(float x) {
  unsigned int bits = __builtin_bit_cast(unsigned int, x);
  const bool number = (bits & 0x7f800000u) != 0x7f800000u || (bits & 0x007fffffu) == 0;
  bits = number ? bits + 0x7fffu + (bits >> 16 & 1) : bits | 0x00400000u;
  return __builtin_bit_cast(__bf16, (unsigned short)(bits >> 16));
}
extern "C" __attribute__((weak)) __host__ __bf16 __truncdfbf2(double x) {
  // First to a float that is odd where it is not exact: rounding twice then is as rounding once.
  float nearest = (float)x;
  unsigned int bits = __builtin_bit_cast(unsigned int, nearest);
  if ((double)nearest != x && x == x && (bits & 1) == 0) {
    const bool isTooLarge = (nearest < 0 ? -(double)nearest : (double)nearest) > (x < 0 ? -x : x);
    bits += isTooLarge ? -1 : 1;
  }
  return __truncsfbf2(__builtin_bit_cast(float, bits));
}
#endif

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
