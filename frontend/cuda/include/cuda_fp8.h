// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 8-bit floating-point numbers: E5M2, E4M3 (which has no infinity, and one NaN a sign), and E8M0, the powers of two
// from -127 to 127 and one NaN. Conversions round to the nearest, ties to even, and are calculated: they need no
// instructions of the newest devices.
#pragma once

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "driver_types.h"

extern "C++" {
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

enum __nv_saturation_t {
  __NV_NOSAT,    ///< what is too large becomes infinity, or NaN where there is none
  __NV_SATFINITE ///< what is too large, infinity too, becomes the largest number
};
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                                     __nv_fp8_interpretation_t kind) {
  const bool wide = kind == __NV_E5M2;
  const int mantissa = wide ? 2 : 3, bias = wide ? 15 : 7;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const unsigned sign = unsigned(bits >> 63) << 7;
  const double size = __builtin_fabs(x);
  if (!(size == size)) return 0x7f;
  // Halfway to what would be the next number; in E5M2 the tie goes away from the largest, whose last bit is 1.
  if (wide ? size >= 61440.0 : size > 464.0)
    return __nv_fp8_storage_t(sign | (saturate == __NV_SATFINITE ? (wide ? 0x7b : 0x7e) : (wide ? 0x7c : 0x7f)));
  int exponent = int(bits >> 52 & 0x7ff) - 1023;
  if (exponent < 1 - bias) exponent = 1 - bias; // subnormal numbers have one unit
  const double unit = __builtin_bit_cast(double, (unsigned long long)(exponent - mantissa + 1023) << 52);
  const int units = int(__builtin_rint(size / unit));
  // A normal number's leading bit counts as one exponent; a carry runs into the exponent by itself.
  const int below = exponent + bias - 1;
  return __nv_fp8_storage_t(sign | unsigned((below << mantissa) + units));
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                                    __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(x, saturate, kind);
}
__host__ __device__ inline float us_floatOf8(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  const bool wide = kind == __NV_E5M2;
  const int mantissa = wide ? 2 : 3, bias = wide ? 15 : 7;
  const unsigned size = x & 0x7f, sign = unsigned(x & 0x80) << 24, fraction = size & ((1u << mantissa) - 1);
  int exponent = int(size >> mantissa);
  if (wide ? size > 0x7c : size == 0x7f) return __builtin_bit_cast(float, 0x7fffffffu);
  if (wide && size == 0x7c) return __builtin_bit_cast(float, sign | 0x7f800000u);
  unsigned units = fraction | (exponent ? 1u << mantissa : 0);
  if (exponent == 0) exponent = 1;
  const float value = float(units) * __builtin_bit_cast(float, unsigned(exponent - bias - mantissa + 127) << 23);
  return sign ? -value : value;
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(float(__half(x)), saturate, kind);
}
__host__ __device__ inline __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(float(__nv_bfloat16(x)), saturate, kind);
}
__host__ __device__ inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half(us_floatOf8(x, kind));
}

// Pairs: the first number in the lower byte.
__host__ __device__ inline __nv_fp8x2_storage_t us_pairOf8(__nv_fp8_storage_t x, __nv_fp8_storage_t y) {
  return __nv_fp8x2_storage_t(x | y << 8);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                                          __nv_fp8_interpretation_t kind) {
  return us_pairOf8(__nv_cvt_double_to_fp8(x.x, saturate, kind), __nv_cvt_double_to_fp8(x.y, saturate, kind));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                                         __nv_fp8_interpretation_t kind) {
  return us_pairOf8(__nv_cvt_float_to_fp8(x.x, saturate, kind), __nv_cvt_float_to_fp8(x.y, saturate, kind));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                                           __nv_fp8_interpretation_t kind) {
  return us_pairOf8(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturate, kind),
                    __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturate, kind));
}
__host__ __device__ inline __nv_fp8x2_storage_t
__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return us_pairOf8(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, saturate, kind),
                    __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, saturate, kind));
}
__host__ __device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                                  __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(x & 0xff), kind).x,
                     __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(x >> 8), kind).x};
}

// One number, two and four. What is too large becomes the largest number.
#define US_FROM(T)                                                                                                     \
  __host__ __device__ explicit US_NAME(T x) : __x(__nv_cvt_double_to_fp8(double(x), __NV_SATFINITE, US_KIND)) {}       \
  __host__ __device__ explicit operator T() const { return (T)us_floatOf8(__x, US_KIND); }
#define US_NUMBER                                                                                                      \
  struct US_NAME {                                                                                                     \
    __nv_fp8_storage_t __x;                                                                                            \
    US_NAME() = default;                                                                                               \
    US_FROM(float)                                                                                                     \
    US_FROM(double)                                                                                                    \
    US_FROM(short)                                                                                                     \
    US_FROM(unsigned short)                                                                                            \
    US_FROM(int)                                                                                                       \
    US_FROM(unsigned int)                                                                                              \
    US_FROM(long long)                                                                                                 \
    US_FROM(unsigned long long)                                                                                        \
    __host__ __device__ explicit US_NAME(__half x) : __x(__nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, US_KIND)) {}       \
    __host__ __device__ explicit US_NAME(__nv_bfloat16 x)                                                              \
        : __x(__nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, US_KIND)) {}                                              \
    __host__ __device__ explicit operator __half() const { return __half(us_floatOf8(__x, US_KIND)); }                 \
    __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16(us_floatOf8(__x, US_KIND)); }   \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                                   \
  };
#define US_PAIR                                                                                                        \
  struct __align__(2) US_NAME {                                                                                        \
    __nv_fp8x2_storage_t __x;                                                                                          \
    US_NAME() = default;                                                                                               \
    __host__ __device__ explicit US_NAME(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, US_KIND)) {}      \
    __host__ __device__ explicit US_NAME(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, US_KIND)) {}    \
    __host__ __device__ explicit US_NAME(__half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, US_KIND)) {}   \
    __host__ __device__ explicit US_NAME(__nv_bfloat162 x)                                                             \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, US_KIND)) {}                                           \
    __host__ __device__ explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, US_KIND); }         \
    __host__ __device__ explicit operator float2() const {                                                             \
      return make_float2(us_floatOf8(__nv_fp8_storage_t(__x), US_KIND),                                                \
                         us_floatOf8(__nv_fp8_storage_t(__x >> 8), US_KIND));                                          \
    }                                                                                                                  \
  };
#define US_FOUR                                                                                                        \
  struct __align__(4) US_NAME {                                                                                        \
    __nv_fp8x4_storage_t __x;                                                                                          \
    US_NAME() = default;                                                                                               \
    __host__ __device__ explicit US_NAME(float4 x)                                                                     \
        : __x(__nv_cvt_float2_to_fp8x2(make_float2(x.x, x.y), __NV_SATFINITE, US_KIND) |                               \
              unsigned(__nv_cvt_float2_to_fp8x2(make_float2(x.z, x.w), __NV_SATFINITE, US_KIND)) << 16) {}             \
    __host__ __device__ explicit US_NAME(double4 x)                                                                    \
        : __x(__nv_cvt_double2_to_fp8x2(make_double2(x.x, x.y), __NV_SATFINITE, US_KIND) |                             \
              unsigned(__nv_cvt_double2_to_fp8x2(make_double2(x.z, x.w), __NV_SATFINITE, US_KIND)) << 16) {}           \
    __host__ __device__ explicit US_NAME(__half2 low, __half2 high)                                                    \
        : __x(__nv_cvt_halfraw2_to_fp8x2(low, __NV_SATFINITE, US_KIND) |                                               \
              unsigned(__nv_cvt_halfraw2_to_fp8x2(high, __NV_SATFINITE, US_KIND)) << 16) {}                            \
    __host__ __device__ explicit US_NAME(__nv_bfloat162 low, __nv_bfloat162 high)                                      \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(low, __NV_SATFINITE, US_KIND) |                                           \
              unsigned(__nv_cvt_bfloat16raw2_to_fp8x2(high, __NV_SATFINITE, US_KIND)) << 16) {}                        \
    __host__ __device__ explicit operator float4() const {                                                             \
      return make_float4(                                                                                              \
          us_floatOf8(__nv_fp8_storage_t(__x), US_KIND), us_floatOf8(__nv_fp8_storage_t(__x >> 8), US_KIND),           \
          us_floatOf8(__nv_fp8_storage_t(__x >> 16), US_KIND), us_floatOf8(__nv_fp8_storage_t(__x >> 24), US_KIND));   \
    }                                                                                                                  \
  };

#define US_KIND __NV_E5M2
#define US_NAME __nv_fp8_e5m2
US_NUMBER
#undef US_NAME
#define US_NAME __nv_fp8x2_e5m2
US_PAIR
#undef US_NAME
#define US_NAME __nv_fp8x4_e5m2
US_FOUR
#undef US_NAME
#undef US_KIND
#define US_KIND __NV_E4M3
#define US_NAME __nv_fp8_e4m3
US_NUMBER
#undef US_NAME
#define US_NAME __nv_fp8x2_e4m3
US_PAIR
#undef US_NAME
#define US_NAME __nv_fp8x4_e4m3
US_FOUR
#undef US_NAME
#undef US_KIND
#undef US_FROM
#undef US_NUMBER
#undef US_PAIR
#undef US_FOUR

// E8M0 has no sign: it is the size that is converted, towards zero or up.
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                                      cudaRoundMode rounding) {
  const double size = __builtin_fabs(x);
  if (!(size == size)) return 0xff;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, size);
  int exponent = int(bits >> 52) - 1023 + 127;
  if (rounding == cudaRoundPosInf && (bits & 0xfffffffffffffull) != 0) ++exponent;
  const bool isTowardsZero = rounding == cudaRoundZero && size < __builtin_huge_val();
  if (exponent > 0xfe) return saturate == __NV_SATFINITE || isTowardsZero ? 0xfe : 0xff;
  return __nv_fp8_storage_t(exponent < 0 ? 0 : exponent);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                                     cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(x, saturate, rounding);
}
__host__ __device__ inline __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(float(__nv_bfloat16(x)), saturate, rounding);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate,
                                                                           cudaRoundMode rounding) {
  return us_pairOf8(__nv_cvt_double_to_e8m0(x.x, saturate, rounding), __nv_cvt_double_to_e8m0(x.y, saturate, rounding));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate,
                                                                          cudaRoundMode rounding) {
  return us_pairOf8(__nv_cvt_float_to_e8m0(x.x, saturate, rounding), __nv_cvt_float_to_e8m0(x.y, saturate, rounding));
}
__host__ __device__ inline __nv_fp8x2_storage_t
__nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return us_pairOf8(__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.x}, saturate, rounding),
                    __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.y}, saturate, rounding));
}
/// 2^-127, the first of them, is a subnormal number.
__host__ __device__ inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return __nv_bfloat16_raw{(unsigned short)(x == 0xff ? 0x7fff : x == 0 ? 0x40 : x << 7)};
}
__host__ __device__ inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t(x & 0xff)).x,
                            __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t(x >> 8)).x};
}
__host__ __device__ inline float us_floatOfE8(__nv_fp8_storage_t x) {
  return __builtin_bit_cast(float, unsigned(__nv_cvt_e8m0_to_bf16raw(x).x) << 16);
}

#define US_FROM(T)                                                                                                     \
  __host__ __device__ explicit __nv_fp8_e8m0(T x)                                                                      \
      : __x(__nv_cvt_double_to_e8m0(double(x), __NV_SATFINITE, cudaRoundPosInf)) {}                                    \
  __host__ __device__ explicit operator T() const { return (T)us_floatOfE8(__x); }
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  US_FROM(float)
  US_FROM(double)
  US_FROM(short)
  US_FROM(unsigned short)
  US_FROM(int)
  US_FROM(unsigned int)
  US_FROM(long)
  US_FROM(unsigned long)
  US_FROM(long long)
  US_FROM(unsigned long long)
  __host__ __device__ explicit __nv_fp8_e8m0(__half x) : __nv_fp8_e8m0(float(x)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(__nv_bfloat16 x) : __nv_fp8_e8m0(float(x)) {}
  __host__ __device__ explicit operator __half() const { return __half(us_floatOfE8(__x)); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
  __host__ __device__ explicit operator bool() const { return true; } // none of them is zero
};
#undef US_FROM
struct __align__(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x2_e8m0(float2 x)
      : __x(__nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8x2_e8m0(double2 x)
      : __x(__nv_cvt_double2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit operator float2() const {
    return make_float2(us_floatOfE8(__nv_fp8_storage_t(__x)), us_floatOfE8(__nv_fp8_storage_t(__x >> 8)));
  }
};
struct __align__(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x4_e8m0(float4 x)
      : __x(__nv_cvt_float2_to_e8m0x2(make_float2(x.x, x.y), __NV_SATFINITE, cudaRoundPosInf) |
            unsigned(__nv_cvt_float2_to_e8m0x2(make_float2(x.z, x.w), __NV_SATFINITE, cudaRoundPosInf)) << 16) {}
  __host__ __device__ explicit operator float4() const {
    return make_float4(us_floatOfE8(__nv_fp8_storage_t(__x)), us_floatOfE8(__nv_fp8_storage_t(__x >> 8)),
                       us_floatOfE8(__nv_fp8_storage_t(__x >> 16)), us_floatOfE8(__nv_fp8_storage_t(__x >> 24)));
  }
};
}
