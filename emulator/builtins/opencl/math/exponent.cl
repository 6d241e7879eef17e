// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ilogb, logb, frexp, ldexp: exact (ldexp correctly rounded). Denormals are scaled up first, so no loops or counts of
// leading zeros are needed.
#include "emulator/builtins/opencl/math/widths.h"

// The exponent of a finite, non-zero x, denormal or not.
US_INLINE int exponentOf(float x) {
  float a = absOf(x);
  bool denormal = a < 0x1p-126f;
  uint bits = as_uint(denormal ? a * 0x1p24f : a);
  return (int)(bits >> 23) - (denormal ? 127 + 24 : 127);
}
US_INLINE int exponentOf(double x) {
  double a = absOf(x);
  bool denormal = a < 0x1p-1022;
  ulong bits = as_ulong(denormal ? a * 0x1p53 : a);
  return (int)(bits >> 52) - (denormal ? 1023 + 53 : 1023);
}

int US_HOT ilogb(float x) {
  int e = isInf(x) ? INT_MAX : exponentOf(x);
  e = x == 0.0f ? FP_ILOGB0 : e;
  return isNan(x) ? FP_ILOGBNAN : e;
}
int US_HOT ilogb(double x) {
  int e = isInf(x) ? INT_MAX : exponentOf(x);
  e = x == 0.0 ? FP_ILOGB0 : e;
  return isNan(x) ? FP_ILOGBNAN : e;
}
int US_HOT ilogb(half x) { return ilogb((float)x); }
US_COMPONENTS1(ilogb, int, float)
US_COMPONENTS1(ilogb, int, double)
US_COMPONENTS1(ilogb, int, half)

float US_HOT logb(float x) {
  float e = isInf(x) ? INFINITY : (float)exponentOf(x);
  e = x == 0.0f ? -INFINITY : e;
  return isNan(x) ? x : e;
}
double US_HOT logb(double x) {
  double e = isInf(x) ? (double)INFINITY : (double)exponentOf(x);
  e = x == 0.0 ? -(double)INFINITY : e;
  return isNan(x) ? x : e;
}
US_ALL1(logb)

float US_OVERLOAD frexp(float x, __private int *exponent) {
  bool plain = x != 0.0f && isFinite(x);
  bool denormal = absOf(x) < 0x1p-126f;
  uint bits = as_uint(denormal ? x * 0x1p24f : x);
  *exponent = plain ? exponentOf(x) + 1 : 0;
  return plain ? as_float((bits & 0x807fffffu) | 0x3f000000u) : x;
}
double US_OVERLOAD frexp(double x, __private int *exponent) {
  bool plain = x != 0.0 && isFinite(x);
  bool denormal = absOf(x) < 0x1p-1022;
  ulong bits = as_ulong(denormal ? x * 0x1p53 : x);
  *exponent = plain ? exponentOf(x) + 1 : 0;
  return plain ? as_double((bits & 0x800ffffffffffffful) | 0x3fe0000000000000ul) : x;
}
half US_OVERLOAD frexp(half x, __private int *exponent) { return (half)frexp((float)x, exponent); }
US_POINTER1(frexp, float, float, int)
US_POINTER1(frexp, double, double, int)
US_POINTER1(frexp, half, half, int)

// In f64 every f32 result, scaled by at most 2^±300, is exact: one rounding, at the end.
float US_HOT ldexp(float x, int n) {
  int k = within(n, -300, 300);
  return (float)((double)x * as_double((ulong)(k + 1023) << 52));
}
// Each step but the last is exact, or its result is so small that the last step gives zero whatever was lost.
US_INLINE int scaleStep(int n) { return n < -1022 ? -969 : atMost(n, 1023); }
double US_HOT ldexp(double x, int n) {
  int k = within(n, -2200, 2200);
  int first = scaleStep(k);
  int second = scaleStep(k - first);
  int third = atLeast(k - first - second, -1022);
  x *= as_double((ulong)(first + 1023) << 52);
  x *= as_double((ulong)(second + 1023) << 52);
  return x * as_double((ulong)(third + 1023) << 52);
}
half US_HOT ldexp(half x, int n) {
  int k = within(n, -60, 60);
  return (half)((float)x * as_float((uint)(k + 127) << 23));
}
US_COMPONENTS2(ldexp, float, float, int)
US_COMPONENTS2(ldexp, double, double, int)
US_COMPONENTS2(ldexp, half, half, int)
US_COMPONENTS2S(ldexp, float, float, int)
US_COMPONENTS2S(ldexp, double, double, int)
US_COMPONENTS2S(ldexp, half, half, int)
