// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision: __half and __half2 over the compiler's _Float16.
#pragma once

#include "crt/host_defines.h"
#include "vector_types.h"

extern "C++" {
struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct __align__(2) __half {
  unsigned short __x;

  __half() = default;
  __host__ __device__ __half(__half_raw raw) : __x(raw.x) {}
  __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
  __host__ __device__ __half &operator=(__half_raw raw) {
    __x = raw.x;
    return *this;
  }
#define US_CONVERTS(T)                                                                                                 \
  __host__ __device__ __half(T value) : __x(__builtin_bit_cast(unsigned short, (_Float16)value)) {}                              \
  __host__ __device__ operator T() const { return (T)__builtin_bit_cast(_Float16, __x); }
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
  __host__ __device__ __half(double value) : __x(__builtin_bit_cast(unsigned short, (_Float16)value)) {}
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
};

struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ constexpr __half2(const __half &x, const __half &y) : x(x), y(y) {}
  __host__ __device__ __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};

#define US_T __half
#define US_T2 __half2
#define US_V _Float16
#define US_V2 us_half_pair
#define US_X half
#define US_X2 half2
typedef _Float16 us_half_pair __attribute__((ext_vector_type(2)));
#include "understudy/small_float.inc"
#undef US_T
#undef US_T2
#undef US_V
#undef US_V2
#undef US_X
#undef US_X2

__host__ __device__ inline __half2 __half2half2(__half x) { return __half2(x, x); }
__host__ __device__ inline __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
#if defined(__CUDA_ARCH__)
static __device__ __forceinline__ __half __float2half_rz(float x) {
  __half result;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(result.__x) : "f"(x));
  return result;
}
static __device__ __forceinline__ __half __float2half_ru(float x) {
  __half result;
  asm("cvt.rp.f16.f32 %0, %1;" : "=h"(result.__x) : "f"(x));
  return result;
}
static __device__ __forceinline__ __half __float2half_rd(float x) {
  __half result;
  asm("cvt.rm.f16.f32 %0, %1;" : "=h"(result.__x) : "f"(x));
  return result;
}
#endif
}

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
