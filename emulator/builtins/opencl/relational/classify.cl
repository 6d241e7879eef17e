// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// isfinite, isinf, isnan, isnormal, signbit: decided on the bits, so that no floating-point mode changes the answer.
#include "emulator/builtins/opencl/support.h"

#define CLASSIFY(T, R, I, SIGN, INFINITE, SMALLEST)                                                                    \
  US_OVERLOAD R isfinite(T x) { return (__builtin_astype(x, I) & ~(I)SIGN) < (I)INFINITE; }                            \
  US_OVERLOAD R isinf(T x) { return (__builtin_astype(x, I) & ~(I)SIGN) == (I)INFINITE; }                              \
  US_OVERLOAD R isnan(T x) { return (__builtin_astype(x, I) & ~(I)SIGN) > (I)INFINITE; }                               \
  US_OVERLOAD R isnormal(T x) {                                                                                        \
    I magnitude = __builtin_astype(x, I) & ~(I)SIGN;                                                                   \
    return (magnitude >= (I)SMALLEST) & (magnitude < (I)INFINITE);                                                     \
  }                                                                                                                    \
  US_OVERLOAD R signbit(T x) { return __builtin_astype(x, I) < (I)0; }

CLASSIFY(half, int, short, SHRT_MIN, 0x7c00, 0x0400)
CLASSIFY(float, int, int, INT_MIN, 0x7f800000, 0x00800000)
CLASSIFY(double, int, long, LONG_MIN, 0x7ff0000000000000L, 0x0010000000000000L)
US_VECTORS3(CLASSIFY, half, short, short, SHRT_MIN, 0x7c00, 0x0400)
US_VECTORS3(CLASSIFY, float, int, int, INT_MIN, 0x7f800000, 0x00800000)
US_VECTORS3(CLASSIFY, double, long, long, LONG_MIN, 0x7ff0000000000000L, 0x0010000000000000L)
