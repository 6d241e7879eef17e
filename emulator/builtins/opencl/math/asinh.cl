// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asinh, acosh, atanh. Owed: 4, 4, 5 ulp (f32, f64), 2 to 3 (half). f32: the defining logarithms in f64, where neither
// the squares nor 1 ± x lose anything that matters; near zero two terms of the series.
#include "emulator/builtins/opencl/math/log_core.h"

#define US_LN2 0x1.62e42fefa39efp-1

float US_HOT asinh(float x) {
  double a = absOf((double)x), s = a * a;
  // log(1 + u), u = a + a^2 / (1 + sqrt(1 + a^2))
  double u = a + s / (1.0 + __builtin_elementwise_sqrt(1.0 + s));
  double large = log2ForFloat(1.0 + u) * US_LN2;
  double small = fused(a * s, -1.0 / 6, a);
  float y = (float)(a < 0x1p-10 ? small : large);
  return flipSign(isFinite(x) ? y : absOf(x), x);
}
float US_HOT acosh(float x) {
  double d = (double)x;
  double y = log2ForFloat(d + __builtin_elementwise_sqrt(fused(d, d, -1.0))) * US_LN2;
  float special = x < 1.0f ? NAN : x;
  return x >= 1.0f && isFinite(x) ? (float)y : special;
}
float US_HOT atanh(float x) {
  double a = absOf((double)x);
  double large = log2ForFloat((1.0 + a) / (1.0 - a)) * (0.5 * US_LN2);
  double small = fused(a * a, a * (1.0 / 3), a);
  float y = (float)(a < 0x1p-10 ? small : large);
  y = a == 1.0 ? INFINITY : y;
  return flipSign(a <= 1.0 ? y : NAN, x);
}
// f64: the same functions by log1p of what remains after 1. From 2^28 on the argument itself is all that counts.
double US_HOT asinh(double x) {
  double a = absOf(x);
  bool huge = a > 0x1p28;
  double s = a * a;
  double u = a + s / (1.0 + __builtin_elementwise_sqrt(1.0 + s));
  double y = log1pCore(huge ? a - 1.0 : u);
  return flipSign(huge ? y + US_LN2 : y, x);
}
double US_HOT acosh(double x) {
  bool huge = x > 0x1p28;
  double t = x - 1.0;
  double u = t + __builtin_elementwise_sqrt(fused(t, t, 2.0 * t));
  double y = log1pCore(huge ? t : u);
  y = huge ? y + US_LN2 : y;
  return x < 1.0 ? (double)NAN : y;
}
double US_HOT atanh(double x) {
  double a = absOf(x);
  return flipSign(0.5 * log1pCore(2.0 * a / (1.0 - a)), x);
}
US_ALL1(asinh)
US_ALL1(acosh)
US_ALL1(atanh)
