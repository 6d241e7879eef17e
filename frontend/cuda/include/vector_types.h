/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The vector types and their make_ functions: sizes and alignments are those of the ABI that host and device share. */
#ifndef UNDERSTUDY_VECTOR_TYPES_H
#define UNDERSTUDY_VECTOR_TYPES_H

/* The names by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__

#include "crt/host_defines.h"

/* clang-format off */
#define US_VECTOR_TYPES(T, BASE, ALIGN2, ALIGN4)                                                                       \
  typedef struct BASE##1 { T x; } BASE##1;                                                                             \
  typedef struct __align__(ALIGN2) BASE##2 { T x, y; } BASE##2;                                                        \
  typedef struct BASE##3 { T x, y, z; } BASE##3;                                                                       \
  typedef struct __align__(ALIGN4) BASE##4 { T x, y, z, w; } BASE##4;                                                  \
  US_VECTOR_MAKERS(T, BASE)

#ifdef __cplusplus
#define US_VECTOR_MAKER __host__ __device__ inline __attribute__((always_inline))
#define US_VECTOR(T, ...) return T{__VA_ARGS__}
#else
#define US_VECTOR_MAKER static inline __attribute__((always_inline))
#define US_VECTOR(T, ...)                                                                                              \
  T v = {__VA_ARGS__};                                                                                                 \
  return v
#endif
#define US_VECTOR_MAKERS(T, BASE)                                                                                      \
  US_VECTOR_MAKER BASE##1 make_##BASE##1(T x) { US_VECTOR(BASE##1, x); }                                               \
  US_VECTOR_MAKER BASE##2 make_##BASE##2(T x, T y) { US_VECTOR(BASE##2, x, y); }                                       \
  US_VECTOR_MAKER BASE##3 make_##BASE##3(T x, T y, T z) { US_VECTOR(BASE##3, x, y, z); }                               \
  US_VECTOR_MAKER BASE##4 make_##BASE##4(T x, T y, T z, T w) { US_VECTOR(BASE##4, x, y, z, w); }

US_VECTOR_TYPES(signed char, char, 2, 4)
US_VECTOR_TYPES(unsigned char, uchar, 2, 4)
US_VECTOR_TYPES(short, short, 4, 8)
US_VECTOR_TYPES(unsigned short, ushort, 4, 8)
US_VECTOR_TYPES(int, int, 8, 16)
US_VECTOR_TYPES(unsigned int, uint, 8, 16)
US_VECTOR_TYPES(long, long, 16, 16)
US_VECTOR_TYPES(unsigned long, ulong, 16, 16)
US_VECTOR_TYPES(long long, longlong, 16, 16)
US_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
US_VECTOR_TYPES(float, float, 8, 16)
US_VECTOR_TYPES(double, double, 16, 16)

/* CUDA 13 names the alignment of what was 16 and may be 32. */
#if CUDART_VERSION >= 13000
#define US_ALIGNED_TYPES(T, BASE, ALIGN)                                                                               \
  typedef struct __align__(ALIGN) BASE##4_##ALIGN##a { T x, y, z, w; } BASE##4_##ALIGN##a;                             \
  US_VECTOR_MAKER BASE##4_##ALIGN##a make_##BASE##4_##ALIGN##a(T x, T y, T z, T w) {                                   \
    US_VECTOR(BASE##4_##ALIGN##a, x, y, z, w);                                                                         \
  }
US_ALIGNED_TYPES(long, long, 16)
US_ALIGNED_TYPES(long, long, 32)
US_ALIGNED_TYPES(unsigned long, ulong, 16)
US_ALIGNED_TYPES(unsigned long, ulong, 32)
US_ALIGNED_TYPES(long long, longlong, 16)
US_ALIGNED_TYPES(long long, longlong, 32)
US_ALIGNED_TYPES(unsigned long long, ulonglong, 16)
US_ALIGNED_TYPES(unsigned long long, ulonglong, 32)
US_ALIGNED_TYPES(double, double, 16)
US_ALIGNED_TYPES(double, double, 32)
#undef US_ALIGNED_TYPES
#endif
#undef US_VECTOR_TYPES
#undef US_VECTOR_MAKERS
#undef US_VECTOR_MAKER
#undef US_VECTOR
/* clang-format on */

typedef struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;

#endif
