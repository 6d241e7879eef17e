// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brain floats: __nv_bfloat16 and its pair over the compiler's __bf16.
#pragma once

#include "crt/host_defines.h"
#include "vector_types.h"

extern "C++" {
struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __align__(2) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  __host__ __device__ __nv_bfloat16 &operator=(__nv_bfloat16_raw raw) {
    __x = raw.x;
    return *this;
  }
#define US_CONVERTS(T)                                                                                                 \
  __host__ __device__ __nv_bfloat16(T value) : __x(__builtin_bit_cast(unsigned short, (__bf16)value)) {}                              \
  __host__ __device__ operator T() const { return (T)__builtin_bit_cast(__bf16, __x); }
  US_CONVERTS(float)
  US_CONVERTS(short)
  US_CONVERTS(unsigned short)
  US_CONVERTS(int)
  US_CONVERTS(unsigned int)
  US_CONVERTS(long)
  US_CONVERTS(unsigned long)
  US_CONVERTS(long long)
  US_CONVERTS(unsigned long long)
#undef US_CONVERTS
  __host__ __device__ __nv_bfloat16(double value) : __x(__builtin_bit_cast(unsigned short, (__bf16)value)) {}
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ constexpr __nv_bfloat162(const __nv_bfloat16 &x, const __nv_bfloat16 &y) : x(x), y(y) {}
  __host__ __device__ __nv_bfloat162(__nv_bfloat162_raw raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const { return __nv_bfloat162_raw{x.__x, y.__x}; }
};

#define US_T __nv_bfloat16
#define US_T2 __nv_bfloat162
#define US_V __bf16
#define US_V2 us_bfloat16_pair
#define US_X bfloat16
#define US_X2 bfloat162
typedef __bf16 us_bfloat16_pair __attribute__((ext_vector_type(2)));
#include "understudy/small_float.inc"
#undef US_T
#undef US_T2
#undef US_V
#undef US_V2
#undef US_X
#undef US_X2

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

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
