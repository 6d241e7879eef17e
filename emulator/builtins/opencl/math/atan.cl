// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atan, atanpi. Owed: 5 ulp (f32, f64), 2 (half). pi / 2 - atan(1 / x) above 1.
#include "emulator/builtins/opencl/math/atan_core.h"

float US_HOT atan(float x) {
  float a = absOf(x);
  bool large = a > 1.0f;
  float t = atanKernel(large ? 1.0f / a : a);
  return flipSign(large ? 0x1.921fb6p+0f - (t - -0x1.777a5cp-25f) : t, x);
}
float US_HOT atanpi(float x) {
  float a = absOf(x);
  bool large = a > 1.0f;
  float t = atanKernel(large ? 1.0f / a : a);
  return flipSign(large ? fusedf(t, -0x1.45f306p-2f, 0.5f) : t * 0x1.45f306p-2f, x);
}
double US_HOT atan(double x) {
  double a = absOf(x);
  bool large = a > 1.0;
  // Infinity would give inf / inf.
  double b = a > 0x1p60 ? 0x1p60 : a;
  AngleD t = atanOfRatio(large ? 1.0 : b, large ? b : 1.0);
  double y = large ? (0x1.921fb54442d18p+0 - t.hi) - (t.lo - 0x1.1a62633145c07p-54) : t.hi + t.lo;
  return isNan(x) ? x : flipSign(y, x);
}
double US_HOT atanpi(double x) { return atan(x) * 0x1.45f306dc9c883p-2; }
US_ALL1(atan)
US_ALL1(atanpi)
