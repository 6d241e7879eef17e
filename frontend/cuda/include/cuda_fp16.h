// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision: __half and __half2 over the compiler's _Float16.
#pragma once

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __CUDA_FP16_H__

#include "crt/host_defines.h"
#include "vector_types.h"

/* In C there are the bits. */
typedef struct __align__(2) {
  unsigned short x;
} __half_raw;
typedef struct __align__(4) {
  unsigned short x, y;
} __half2_raw;

#if defined(__cplusplus)
#if !defined(__CUDA__)
#include <math.h>
#endif
#if !defined(__clang__) && !defined(__CUDA__)
#include "understudy/small_value.h"
#endif

extern "C++" {
#define US_T __half
#define US_T2 __half2
#define US_RAW __half_raw
#define US_RAW2 __half2_raw
#if defined(__clang__) || defined(__CUDA__)
#define US_V _Float16
#else
#define US_V us_small_value<US_EXPONENT>
#endif
#define US_EXPONENT 5
#define US_V2 us_half_pair
#define US_X half
#define US_X2 half2
#include "understudy/small_float.inc"

__host__ __device__ inline __half2 __half2half2(__half x) { return __half2(x, x); }
__host__ __device__ inline __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
#if defined(__CUDA__)
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
#endif
