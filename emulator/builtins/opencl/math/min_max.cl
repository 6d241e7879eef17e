// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmax, fmin, maxmag, minmag, fdim: exact (fdim correctly rounded), by selects.
#include "emulator/builtins/opencl/math/widths.h"

// A NaN operand is ignored. Written as selects, not llvm.maxnum: there the sign of max(+0, -0) is left to the target,
// and our results must not depend on it (here the first operand wins).
#define US_MIN_MAX(T)                                                                                                  \
  T US_HOT fmax(T x, T y) { return isNan(x) ? y : (y > x ? y : x); }                                                   \
  T US_HOT fmin(T x, T y) { return isNan(x) ? y : (y < x ? y : x); }                                                   \
  US_COMPONENTS2(fmax, T, T, T)                                                                                        \
  US_COMPONENTS2(fmin, T, T, T)                                                                                        \
  US_COMPONENTS2S(fmax, T, T, T)                                                                                       \
  US_COMPONENTS2S(fmin, T, T, T)

US_MIN_MAX(float)
US_MIN_MAX(double)
US_MIN_MAX(half)

#define US_MAGNITUDE(T)                                                                                                \
  T US_HOT maxmag(T x, T y) {                                                                                          \
    T a = absOf(x), b = absOf(y);                                                                                      \
    return a > b ? x : (b > a ? y : fmax(x, y));                                                                       \
  }                                                                                                                    \
  T US_HOT minmag(T x, T y) {                                                                                          \
    T a = absOf(x), b = absOf(y);                                                                                      \
    return a < b ? x : (b < a ? y : fmin(x, y));                                                                       \
  }                                                                                                                    \
  US_COMPONENTS2(maxmag, T, T, T)                                                                                      \
  US_COMPONENTS2(minmag, T, T, T)

US_MAGNITUDE(float)
US_MAGNITUDE(double)
US_MAGNITUDE(half)

// "x - y if x > y, +0 if x is less than or equal to y." NaN comes out of the subtraction.
#define US_FDIM(T)                                                                                                     \
  T US_HOT fdim(T x, T y) { return x <= y ? (T)0 : x - y; }                                                            \
  US_COMPONENTS2(fdim, T, T, T)

US_FDIM(float)
US_FDIM(double)
US_FDIM(half)
