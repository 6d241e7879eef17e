// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// length without overflow or underflow on the way: half through float, float through double, double scaled by a power
// of two.
#pragma once
#include "emulator/builtins/opencl/geometric/dot.h"

#define US_WIDER_1(x, W) ((W)(x))
#define US_WIDER_2(x, W) __builtin_convertvector(x, W##2)
#define US_WIDER_3(x, W) __builtin_convertvector(x, W##3)
#define US_WIDER_4(x, W) __builtin_convertvector(x, W##4)

US_INLINE double us_largest(double x) { return __builtin_fabs(x); }
US_INLINE double us_largest(double2 x) {
  double a = __builtin_fabs(x.s0), b = __builtin_fabs(x.s1);
  return a < b ? b : a;
}
US_INLINE double us_largest(double3 x) { return us_largest((double2)(us_largest(x.s01), x.s2)); }
US_INLINE double us_largest(double4 x) { return us_largest((double2)(us_largest(x.s01), us_largest(x.s23))); }

// The square of a component between 2^-450 and 2^500 and the sum of four such squares are normal numbers.
US_INLINE double us_scale_for_squares(double largest) {
  double scale = largest > 0x1p+500 ? 0x1p-600 : 1.0;
  return largest < 0x1p-450 ? 0x1p+600 : scale;
}
