// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons: 1 for true scalars, -1 (all bits) for true components, 0 for false; in the integer type of the same
// size.
#include "emulator/builtins/opencl/support.h"

#define COMPARE(T, R)                                                                                                  \
  US_OVERLOAD R isequal(T x, T y) { return x == y; }                                                                   \
  US_OVERLOAD R isnotequal(T x, T y) { return x != y; }                                                                \
  US_OVERLOAD R isgreater(T x, T y) { return x > y; }                                                                  \
  US_OVERLOAD R isgreaterequal(T x, T y) { return x >= y; }                                                            \
  US_OVERLOAD R isless(T x, T y) { return x < y; }                                                                     \
  US_OVERLOAD R islessequal(T x, T y) { return x <= y; }                                                               \
  US_OVERLOAD R islessgreater(T x, T y) { return (x < y) | (x > y); }                                                  \
  US_OVERLOAD R isordered(T x, T y) { return (x == x) & (y == y); }                                                    \
  US_OVERLOAD R isunordered(T x, T y) { return (x != x) | (y != y); }
COMPARE(half, int)
COMPARE(float, int)
COMPARE(double, int)
US_VECTORS2(COMPARE, half, short)
US_VECTORS2(COMPARE, float, int)
US_VECTORS2(COMPARE, double, long)
