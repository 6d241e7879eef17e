// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cbrt. Owed: 2 ulp (f32, f64, half). 1 / cbrt(x) by steps of third order from a third of the bits as a number, without
// a division; its square times x then has one corrected step, by the residue y^3 - x.
#include "emulator/builtins/opencl/math/widths.h"

// t closer to 1 / cbrt(a).
US_INLINE float inverseCbrtStep(float t, float a) {
  float h = fusedf(-a * t * t, t, 1.0f);
  return fusedf(t * h, fusedf(0x1.c71c72p-3f, h, 0x1.555556p-2f), t);
}
US_INLINE double inverseCbrtStep(double t, double a) {
  double h = fused(-a * t * t, t, 1.0);
  return fused(t * h, fused(0x1.c71c71c71c71cp-3, h, 0x1.5555555555555p-2), t);
}

float US_HOT cbrt(float x) {
  float given = absOf(x);
  bool tiny = given < 0x1p-126f;
  float a = tiny ? given * 0x1p24f : given;
  float t = as_float((int)fusedf((float)as_int(a), -0x1.555556p-2f, 0x1.5288p+30f)); // within 4 %
  t = inverseCbrtStep(inverseCbrtStep(t, a), a);
  float y = a * t * t, square = y * y;
  float residue = fusedf(square, y, -a) + fusedf(y, y, -square) * y;
  y = fusedf(residue * t * t, -0x1.555556p-2f, y);
  y = tiny ? y * 0x1p-8f : y;
  return flipSign(x == 0.0f || !isFinite(x) ? given : y, x);
}
// a at least 2^-900 and finite.
US_INLINE double cbrtOf(double a) {
  // A third of the upper bits, as the low bits of numbers from 2^52 on: within 4 %.
  double upper = as_double((as_ulong(a) >> 32) | 0x4330000000000000ul);
  double third = fused(upper, -0x1.5555555555555p-2, 0x1.5555555555555p+52 + 0x1.54fbc3fcp+30);
  double t = as_double(as_ulong(third) << 32);
  t = inverseCbrtStep(inverseCbrtStep(t, a), a);
  double t2 = t * t, y = a * t2;
  return fused(fused(y * y, y, -a) * t2, -0x1.5555555555555p-2, y);
}
double US_HOT cbrt(double x) {
  double a = absOf(x), y = cbrtOf(a);
  if (as_ulong(a) - 0x07b0000000000000ul >= 0x7840000000000000ul)
    y = a == 0.0 || !isFinite(a) ? a : cbrtOf(a * 0x1p300) * 0x1p-100;
  return flipSign(y, x);
}
US_ALL1(cbrt)
