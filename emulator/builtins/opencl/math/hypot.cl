// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hypot. Owed: 4 ulp (f32, f64), 2 (half). f32 in f64, where squares neither overflow nor vanish; f64 scaled by a power
// of two. An infinity wins over a NaN.
#include "emulator/builtins/opencl/math/widths.h"

float US_HOT hypot(float x, float y) {
  double a = x, b = y;
  float z = (float)__builtin_elementwise_sqrt(fused(a, a, b * b));
  return isInf(x) || isInf(y) ? INFINITY : z;
}
double US_HOT hypot(double x, double y) {
  double a = absOf(x), b = absOf(y);
  double large = a > b ? a : b;
  double up = large > 0x1p500 ? 0x1p-600 : (large < 0x1p-400 ? 0x1p600 : 1.0);
  double down = large > 0x1p500 ? 0x1p600 : (large < 0x1p-400 ? 0x1p-600 : 1.0);
  a *= up;
  b *= up;
  double z = __builtin_elementwise_sqrt(fused(a, a, b * b)) * down;
  return isInf(x) || isInf(y) ? (double)INFINITY : z;
}
US_ALL2(hypot)
