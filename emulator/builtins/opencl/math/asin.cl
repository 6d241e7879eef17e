// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asin, acos, asinpi, acospi. Owed: 4, 4, 5, 5 ulp (f32, f64), 2 to 3 (half). f32: an odd polynomial up to 1/2, above
// it asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)); outside [-1, 1] the root gives NaN.
#include "math/host.h"

typedef struct {
  float angle; // asin of |x|, or of sqrt((1 - |x|) / 2) if |x| is large
  bool large;
} ArcF;

US_INLINE ArcF arcOf(float x) {
  float a = absOf(x);
  bool large = !(a <= 0.5f);
  float s = large ? fusedf(a, -0.5f, 0.5f) : a * a;
  float z = large ? __builtin_elementwise_sqrt(s) : a;
  float p = fusedf(0x1.596d38p-5f, s, 0x1.8c2da8p-6f);
  p = fusedf(p, s, 0x1.747d04p-5f);
  p = fusedf(p, s, 0x1.3301fcp-4f);
  p = fusedf(p, s, 0x1.5555c8p-3f);
  ArcF result = {fusedf(z * s, p, z), large};
  return result;
}

#define US_HALF_PI_HI 0x1.921fb6p+0f
#define US_HALF_PI_LO -0x1.777a5cp-25f
#define US_INV_PI 0x1.45f306p-2f

float US_HOT asin(float x) {
  ArcF t = arcOf(x);
  float y = t.large ? fusedf(-2.0f, t.angle, US_HALF_PI_LO) + US_HALF_PI_HI : t.angle;
  return flipSign(y, x);
}
float US_HOT acos(float x) {
  ArcF t = arcOf(x);
  float signedAngle = flipSign(t.angle, x);
  float middle = US_HALF_PI_HI - (signedAngle - US_HALF_PI_LO);
  float end = isNegative(x) ? 2.0f * US_HALF_PI_HI + fusedf(-2.0f, t.angle, 2.0f * US_HALF_PI_LO) : 2.0f * t.angle;
  return t.large ? end : middle;
}
float US_HOT asinpi(float x) {
  ArcF t = arcOf(x);
  float y = t.large ? fusedf(t.angle, -2.0f * US_INV_PI, 0.5f) : t.angle * US_INV_PI;
  return flipSign(y, x);
}
float US_HOT acospi(float x) {
  ArcF t = arcOf(x);
  float part = t.angle * US_INV_PI;
  float end = isNegative(x) ? fusedf(-2.0f, part, 1.0f) : 2.0f * part;
  return t.large ? end : 0.5f - flipSign(part, x);
}

double US_OVERLOAD asin(double x) { return us_host_asin(x); }
double US_OVERLOAD acos(double x) { return us_host_acos(x); }
double US_OVERLOAD asinpi(double x) { return us_host_asin(x) * 0x1.45f306dc9c883p-2; }
double US_OVERLOAD acospi(double x) { return us_host_acos(x) * 0x1.45f306dc9c883p-2; }
US_ALL1(asin)
US_ALL1(acos)
US_ALL1(asinpi)
US_ALL1(acospi)
