// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinh, cosh. Owed: 4 ulp (f32, f64), 2 (half). e^x / 2 ± e^-x / 2 with e^x / 2 computed scaled, so it overflows
// only where the result does; sinh below 1 by an odd polynomial (relative error 2^-31, f64 2^-54).
#include "emulator/builtins/opencl/math/exp_core.h"

float US_HOT sinh(float x) {
  float a = absOf(x), s = x * x;
  float e = expScaled(a > 91.0f ? 91.0f : a, -1);
  float large = e - 0.25f / e;
  float p = fusedf(0x1.756c1ep-19f, s, 0x1.a022bcp-13f);
  p = fusedf(p, s, 0x1.1110ep-7f);
  p = fusedf(p, s, 0x1.555556p-3f);
  float small = fusedf(a * s, p, a);
  return flipSign(a < 1.0f ? small : large, x);
}
float US_HOT cosh(float x) {
  float a = absOf(x);
  float e = expScaled(a > 91.0f ? 91.0f : a, -1);
  return e + 0.25f / e;
}
double US_HOT sinh(double x) {
  double a = absOf(x), s = x * x;
  double e = expScaled(a > 712.0 ? 712.0 : a, -1);
  double large = e - 0.25 / e;
  double p = fused(0x1.99f0806c2628dp-49, s, 0x1.ae777c36fd5b6p-41);
  p = fused(p, s, 0x1.612467ccb226p-33);
  p = fused(p, s, 0x1.ae6456792a77fp-26);
  p = fused(p, s, 0x1.71de3a556f96cp-19);
  p = fused(p, s, 0x1.a01a01a01a001p-13);
  p = fused(p, s, 0x1.1111111111111p-7);
  p = fused(p, s, 0x1.5555555555555p-3);
  double small = fused(a * s, p, a);
  return flipSign(a < 1.0 ? small : large, x);
}
double US_HOT cosh(double x) {
  double a = absOf(x);
  double e = expScaled(a > 712.0 ? 712.0 : a, -1);
  return e + 0.25 / e;
}
US_ALL1(sinh)
US_ALL1(cosh)
