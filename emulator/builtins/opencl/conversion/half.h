// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To half in every rounding mode, for float and double and their vectors. The host has no instruction for double (and
// without AVX512-FP16 LLVM would call a library function), so double goes through a float that is rounded to odd: that
// keeps enough of the discarded bits for the second rounding to be right.
#pragma once
#include "emulator/builtins/opencl/support.h"

#define US_SCALAR(x, T) ((T)(x))
#define US_VECTOR(x, T) __builtin_convertvector(x, T)

// nearest is the value rounded to nearest, back in the type that it came from; the neighbour is one step in the bits
// away.
//   towards zero: back if the magnitude grew;  up: forward if the value fell;  down: back if the value grew
#define US_HALF_FROM(H, S, F, M, CONVERT)                                                                              \
  US_INLINE H us_half_rtz(F x) {                                                                                       \
    H nearest = us_half_rte(x);                                                                                        \
    M grew = __builtin_elementwise_abs(CONVERT(nearest, F)) > __builtin_elementwise_abs(x);                            \
    S bits = __builtin_astype(nearest, S);                                                                             \
    return __builtin_astype((S)(CONVERT(grew, S) ? bits - (S)1 : bits), H);                                            \
  }                                                                                                                    \
  US_INLINE H us_half_rtp(F x) {                                                                                       \
    H nearest = us_half_rte(x);                                                                                        \
    M fell = CONVERT(nearest, F) < x;                                                                                  \
    S bits = __builtin_astype(nearest, S);                                                                             \
    return __builtin_astype((S)(CONVERT(fell, S) ? bits + ((bits >> (S)15) | (S)1) : bits), H);                        \
  }                                                                                                                    \
  US_INLINE H us_half_rtn(F x) {                                                                                       \
    H nearest = us_half_rte(x);                                                                                        \
    M grew = CONVERT(nearest, F) > x;                                                                                  \
    S bits = __builtin_astype(nearest, S);                                                                             \
    return __builtin_astype((S)(CONVERT(grew, S) ? bits - ((bits >> (S)15) | (S)1) : bits), H);                        \
  }

#define US_HALF_FROM_FLOAT(H, S, F, CONVERT)                                                                           \
  US_INLINE H us_half_rte(F x) { return CONVERT(x, H); }

// Rounded to odd: towards zero, and the last bit set if anything was lost.
#define US_HALF_FROM_DOUBLE(H, I, F, D, M, CONVERT)                                                                    \
  US_INLINE H us_half_rte(D x) {                                                                                       \
    F nearest = CONVERT(x, F);                                                                                         \
    M grew = __builtin_elementwise_abs(CONVERT(nearest, D)) > __builtin_elementwise_abs(x);                            \
    M lost = (CONVERT(nearest, D) < x) | (CONVERT(nearest, D) > x);                                                    \
    I bits = __builtin_astype(nearest, I);                                                                             \
    bits = CONVERT(grew, I) ? bits - (I)1 : bits;                                                                      \
    bits = CONVERT(lost, I) ? bits | (I)1 : bits;                                                                      \
    return CONVERT(__builtin_astype(bits, F), H);                                                                      \
  }

#define US_HALF_WIDTH(N)                                                                                               \
  US_HALF_FROM_FLOAT(half##N, short##N, float##N, US_VECTOR)                                                           \
  US_HALF_FROM_DOUBLE(half##N, int##N, float##N, double##N, long##N, US_VECTOR)                                        \
  US_HALF_FROM(half##N, short##N, float##N, int##N, US_VECTOR)                                                         \
  US_HALF_FROM(half##N, short##N, double##N, long##N, US_VECTOR)
US_HALF_FROM_FLOAT(half, short, float, US_SCALAR)
US_HALF_FROM_DOUBLE(half, int, float, double, int, US_SCALAR)
US_HALF_FROM(half, short, float, int, US_SCALAR)
US_HALF_FROM(half, short, double, int, US_SCALAR)
US_HALF_WIDTH(2)
US_HALF_WIDTH(3)
US_HALF_WIDTH(4)
US_HALF_WIDTH(8)
US_HALF_WIDTH(16)
