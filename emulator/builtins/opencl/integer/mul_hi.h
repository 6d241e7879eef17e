// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The upper half of products, for mul_hi, mad_hi and mad_sat: by the next wider type, and 64 bits through 128.
#pragma once
#include "emulator/builtins/opencl/support.h"

#define US_MUL_HI(T, WIDE, BITS)                                                                                       \
  US_INLINE T us_mul_hi(T x, T y) {                                                                                    \
    return __builtin_convertvector(                                                                                    \
        (__builtin_convertvector(x, WIDE) * __builtin_convertvector(y, WIDE)) >> (WIDE)BITS, T);                       \
  }
#define US_MUL_HI_WIDTHS(T, WIDE, BITS)                                                                                \
  US_INLINE T us_mul_hi(T x, T y) { return (T)(((WIDE)x * (WIDE)y) >> BITS); }                                         \
  US_VECTORS2(US_MUL_HI, T, WIDE, BITS)
US_MUL_HI_WIDTHS(char, short, 8)
US_MUL_HI_WIDTHS(uchar, ushort, 8)
US_MUL_HI_WIDTHS(short, int, 16)
US_MUL_HI_WIDTHS(ushort, uint, 16)
US_MUL_HI_WIDTHS(int, long, 32)
US_MUL_HI_WIDTHS(uint, ulong, 32)

typedef signed _BitInt(128) us_int128;
typedef unsigned _BitInt(128) us_uint128;
#define US_MUL_HI_HALVES(V, HALF)                                                                                      \
  US_INLINE V us_mul_hi(V x, V y) { return (V)(us_mul_hi(x.lo, y.lo), us_mul_hi(x.hi, y.hi)); }
#define US_MUL_HI_64(T, WIDE)                                                                                          \
  US_INLINE T us_mul_hi(T x, T y) { return (T)(((WIDE)x * (WIDE)y) >> 64); }                                           \
  US_MUL_HI_HALVES(T##2, T)                                                                                            \
  US_INLINE T##3 us_mul_hi(T##3 x, T##3 y) { return (T##3)(us_mul_hi(x.s01, y.s01), us_mul_hi(x.s2, y.s2)); }          \
  US_MUL_HI_HALVES(T##4, T##2)                                                                                         \
  US_MUL_HI_HALVES(T##8, T##4)                                                                                         \
  US_MUL_HI_HALVES(T##16, T##8)
US_MUL_HI_64(long, us_int128)
US_MUL_HI_64(ulong, us_uint128)
