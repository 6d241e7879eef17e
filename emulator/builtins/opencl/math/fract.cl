// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fract, modf: exact but for the rounding of x - __builtin_elementwise_floor(x); edge cases as section 7.5.1 lists
// them.
#include "emulator/builtins/opencl/math/widths.h"

// "fract(-0, iptr) returns -0 and -0 in iptr"; "fract(-inf, iptr) returns -0 and -inf in iptr". The largest number
// below one is the bound, so a tiny negative x does not give 1.
#define US_FRACT(T, BELOW_ONE)                                                                                         \
  T US_OVERLOAD fract(T x, __private T *whole) {                                                                       \
    T down = __builtin_elementwise_floor(x);                                                                           \
    T part = x - down;                                                                                                 \
    part = part >= (T)1 ? (T)BELOW_ONE : part;                                                                         \
    *whole = down;                                                                                                     \
    return isInf(x) || x == (T)0 ? withSign((T)0, x) : part;                                                           \
  }                                                                                                                    \
  US_POINTER1(fract, T, T, T)

US_FRACT(float, 0x1.fffffep-1f)
US_FRACT(double, 0x1.fffffffffffffp-1)
US_FRACT(half, 0x1.ffcp-1h)

// "modf(±inf) returns ±0 and ±inf": both parts have the sign of x.
#define US_MODF(T)                                                                                                     \
  T US_OVERLOAD modf(T x, __private T *whole) {                                                                        \
    T toZero = __builtin_elementwise_trunc(x);                                                                         \
    *whole = toZero;                                                                                                   \
    return withSign(isInf(x) ? (T)0 : x - toZero, x);                                                                  \
  }                                                                                                                    \
  US_POINTER1(modf, T, T, T)

US_MODF(float)
US_MODF(double)
US_MODF(half)
