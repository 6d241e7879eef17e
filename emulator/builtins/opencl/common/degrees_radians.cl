// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// degrees and radians: one rounded constant, one rounded product (2 ulp are allowed). Half goes through float.
#include "emulator/builtins/opencl/support.h"

#define CONVERT(T)                                                                                                     \
  US_OVERLOAD T degrees(T x) { return x * (T)57.295779513082320876798; }                                               \
  US_OVERLOAD T radians(T x) { return x * (T)0.017453292519943295769; }
US_WIDTHS(CONVERT, float)
US_WIDTHS(CONVERT, double)

US_OVERLOAD half degrees(half x) { return (half)degrees((float)x); }
US_OVERLOAD half radians(half x) { return (half)radians((float)x); }
#define CONVERT_HALF(T, F)                                                                                             \
  US_OVERLOAD T degrees(T x) { return __builtin_convertvector(degrees(__builtin_convertvector(x, F)), T); }            \
  US_OVERLOAD T radians(T x) { return __builtin_convertvector(radians(__builtin_convertvector(x, F)), T); }
US_VECTORS2(CONVERT_HALF, half, float)
