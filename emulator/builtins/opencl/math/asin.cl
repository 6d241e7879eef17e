// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asin, acos, asinpi, acospi. Owed: 4, 4, 5, 5 ulp (f32, f64), 2 to 3 (half). An odd polynomial up to 1/2, above
// it asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)); outside [-1, 1] the root gives NaN.
#include "emulator/builtins/opencl/math/widths.h"

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
#define US_HALF_PI_D 0x1.921fb54442d18p+0
#define US_HALF_PI_LO_D 0x1.1a62633145c07p-54
#define US_INV_PI_D 0x1.45f306dc9c883p-2

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

typedef struct {
  double angle;
  bool large;
} ArcD;

US_INLINE ArcD arcOf(double x) {
  double a = absOf(x);
  bool large = !(a <= 0.5);
  double s = large ? fused(a, -0.5, 0.5) : a * a;
  double z = large ? __builtin_elementwise_sqrt(s) : a;
  double p = fused(0x1.e5336d3c9f48bp-6, s, -0x1.3b50757ac7f76p-6);
  p = fused(p, s, 0x1.406bebb653912p-6);
  p = fused(p, s, 0x1.8ef81e87a123cp-9);
  p = fused(p, s, 0x1.3164456bbeec3p-7);
  p = fused(p, s, 0x1.3b498006cbcc7p-7);
  p = fused(p, s, 0x1.7b028a13eab06p-7);
  p = fused(p, s, 0x1.c990ac55b530cp-7);
  p = fused(p, s, 0x1.1c4efce873222p-6);
  p = fused(p, s, 0x1.6e8ba123ad37cp-6);
  p = fused(p, s, 0x1.f1c71c7a53dc4p-6);
  p = fused(p, s, 0x1.6db6db6dac1c7p-5);
  p = fused(p, s, 0x1.3333333333388p-4);
  p = fused(p, s, 0x1.5555555555555p-3);
  ArcD result = {fused(z * s, p, z), large};
  return result;
}

double US_HOT asin(double x) {
  ArcD t = arcOf(x);
  double y = t.large ? fused(-2.0, t.angle, US_HALF_PI_LO_D) + US_HALF_PI_D : t.angle;
  return flipSign(y, x);
}
double US_HOT acos(double x) {
  ArcD t = arcOf(x);
  double middle = US_HALF_PI_D - (flipSign(t.angle, x) - US_HALF_PI_LO_D);
  double end = isNegative(x) ? 2.0 * US_HALF_PI_D + fused(-2.0, t.angle, 2.0 * US_HALF_PI_LO_D) : 2.0 * t.angle;
  return t.large ? end : middle;
}
double US_HOT asinpi(double x) {
  ArcD t = arcOf(x);
  double y = t.large ? fused(t.angle, -2.0 * US_INV_PI_D, 0.5) : t.angle * US_INV_PI_D;
  return flipSign(y, x);
}
double US_HOT acospi(double x) {
  ArcD t = arcOf(x);
  double part = t.angle * US_INV_PI_D;
  double end = isNegative(x) ? fused(-2.0, part, 1.0) : 2.0 * part;
  return t.large ? end : 0.5 - flipSign(part, x);
}
US_ALL1(asin)
US_ALL1(acos)
US_ALL1(asinpi)
US_ALL1(acospi)
