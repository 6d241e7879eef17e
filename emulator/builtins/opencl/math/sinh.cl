// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinh, cosh. Owed: 4 ulp (f32, f64), 2 (half). f32: e^x / 2 ± e^-x / 2 with e^x / 2 computed scaled, so it overflows
// only where the result does; sinh below 1 by an odd polynomial (relative error 2^-31).
#include "math/exp_core.h"
#include "math/host.h"

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
double US_OVERLOAD sinh(double x) { return us_host_sinh(x); }
double US_OVERLOAD cosh(double x) { return us_host_cosh(x); }
US_ALL1(sinh)
US_ALL1(cosh)
