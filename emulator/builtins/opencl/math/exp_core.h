// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exponential kernels that exp, expm1, pow and the hyperbolic functions share. An argument is split into n ln 2 +
// r, |r| <= ln 2 / 2; rounding to n is the addition of 1.5 * 2^23 (2^52 in f64), whose low bits are then n as an
// integer: unlike a conversion to int this is defined for NaN.
#pragma once
#include "emulator/builtins/opencl/math/widths.h"

#define US_ROUNDER_F 0x1.8p23f
#define US_ROUNDER_D 0x1.8p52

// `bits`: those that are shifted into an exponent are n's.
typedef struct {
  float n;
  int k;
  uint bits;
} RoundedF;
typedef struct {
  double n;
  int k;
  ulong bits;
} RoundedD;

// The integer nearest to a * b, |a * b| < 2^22, as number and as int.
US_INLINE RoundedF roundProduct(float a, float b) {
  float t = fusedf(a, b, US_ROUNDER_F);
  RoundedF result = {t - US_ROUNDER_F, as_int(t) - 0x4b400000, as_uint(t)};
  return result;
}
// In f64 the low 32 bits of the sum are n.
US_INLINE RoundedD roundProduct(double a, double b) {
  double t = fused(a, b, US_ROUNDER_D);
  RoundedD result = {t - US_ROUNDER_D, (int)as_ulong(t), as_ulong(t)};
  return result;
}

// p * 2^k in two steps, of which only the second can round. |k| < 250 (f32), 2040 (f64).
US_INLINE float scaleBy(float p, int k) {
  int first = k >> 1;
  return p * pow2f(first) * pow2f(k - first);
}
US_INLINE double scaleBy(double p, int k) {
  int first = k >> 1;
  return p * pow2(first) * pow2(k - first);
}

// p * 2^n, p between sqrt(1/2) and sqrt(2), as a function of x: where |x| < normal it is normal, and n goes straight
// into the exponent; below `low` it is 0, above `high` infinite.
US_INLINE float scaleResult(float p, RoundedF n, float x, float normal, float low, float high) {
  float y = as_float(as_uint(p) + (n.bits << 23));
  if (US_RARELY(!(absOf(x) < normal))) {
    y = scaleBy(p, within(n.k, -240, 240));
    y = x < low ? 0.0f : y;
    y = x > high ? INFINITY : y;
  }
  return y;
}
US_INLINE double scaleResult(double p, RoundedD n, double x, double normal, double low, double high) {
  double y = as_double(as_ulong(p) + (n.bits << 52));
  if (US_RARELY(!(absOf(x) < normal))) {
    y = scaleBy(p, within(n.k, -2100, 2100));
    y = x < low ? 0.0 : y;
    y = x > high ? (double)INFINITY : y;
  }
  return y;
}

// x - n ln 2
US_INLINE float lessLn2(float x, float n) { return fusedf(n, 0x1.05c61p-29f, fusedf(n, -0x1.62e43p-1f, x)); }
US_INLINE double lessLn2(double x, double n) {
  return fused(n, -0x1.abc9e3b39803fp-56, fused(n, -0x1.62e42fefa39efp-1, x));
}

// (e^r - 1 - r) / r^2, relative error of the whole 2^-28 (f32) and 2^-57.9 (f64).
US_INLINE float expTail(float r) {
  float p = fusedf(0x1.6af538p-10f, r, 0x1.12424ap-7f);
  p = fusedf(p, r, 0x1.555838p-5f);
  p = fusedf(p, r, 0x1.555486p-3f);
  return fusedf(p, r, 0x1.fffffcp-2f);
}
US_INLINE double expTail(double r) {
  return pairs8(r, r * r, fused(0x1.adb0ddac69ee9p-26, r, 0x1.28addf42a07c4p-22), 0x1.000000000000ap-1,
                0x1.5555555555508p-3, 0x1.55555555506e4p-5, 0x1.1111111124940p-7, 0x1.6c16c1846bc68p-10,
                0x1.a01a013a1309fp-13, 0x1.a019997f28cc6p-16, 0x1.71df046b2c962p-19);
}

// 2^r for |r| <= 1/2, relative error 2^-26.
US_INLINE float exp2Kernel(float r) {
  float r2 = r * r, rest = fusedf(0x1.174db6p-13f, r2, fusedf(0x1.5ef7c6p-10f, r, 0x1.3b6916p-7f));
  return pairs4(r, r2, rest, 1.0f, 0x1.62e43p-1f, 0x1.ebfb92p-3f, 0x1.c6af9ap-5f);
}

// e^x * 2^extra; x at most 91 + small, at least -104 (f32), 712 and -746 (f64).
US_INLINE float expScaled(float x, int extra) {
  RoundedF n = roundProduct(x, 0x1.715476p+0f);
  float r = lessLn2(x, n.n);
  float p = fusedf(fusedf(expTail(r), r, 1.0f), r, 1.0f);
  return scaleBy(p, n.k + extra);
}
US_INLINE double expScaled(double x, int extra) {
  RoundedD n = roundProduct(x, 0x1.71547652b82fep+0);
  double r = lessLn2(x, n.n);
  double p = fused(r * r, expTail(r), r) + 1.0;
  return scaleBy(p, n.k + extra);
}

// e^x - 1 for x at most 89 (f32), 710 (f64). A denormal may lose its last bit.
US_INLINE float expm1Core(float x) {
  x = x < -20.0f ? -20.0f : x;
  RoundedF n = roundProduct(x, 0x1.715476p+0f);
  float r = lessLn2(x, n.n);
  float p = fusedf(0x1.3b7a98p-13f, r, 0x1.6d2daep-10f);
  p = fusedf(p, r, 0x1.1155a8p-7f);
  p = fusedf(p, r, 0x1.555502p-5f);
  p = fusedf(p, r, 0x1.55552cp-3f);
  p = fusedf(p, r, 0.5f);
  p = fusedf(r * r, p, r);
  float scale = pow2f(n.k - 1);
  float half_ = fusedf(scale, p, scale - 0.5f);
  return half_ + half_;
}
US_INLINE double expm1Core(double x) {
  x = x < -40.0 ? -40.0 : x;
  RoundedD n = roundProduct(x, 0x1.71547652b82fep+0);
  double r = lessLn2(x, n.n);
  double p = fused(r * r, expTail(r), r);
  double scale = pow2(n.k - 1);
  double half_ = fused(scale, p, scale - 0.5);
  return half_ + half_;
}

// 2^x in f64 with a relative error of 2^-34, for f32 functions; |x| < 1000.
US_INLINE double exp2ForFloat(double x) {
  double t = x + US_ROUNDER_D;
  double r = x - (t - US_ROUNDER_D);
  double p = fused(0x1.fe168aa985bc7p-17, r, 0x1.446ad384b059bp-13);
  p = fused(p, r, 0x1.5d8a731d52e64p-10);
  p = fused(p, r, 0x1.3b29db6250f91p-7);
  p = fused(p, r, 0x1.c6b08aaae42aep-5);
  p = fused(p, r, 0x1.ebfbe0a5c6771p-3);
  p = fused(p, r, 0x1.62e42ff11926cp-1);
  p = fused(p, r, 0x1.ffffffffab0d7p-1);
  // n goes straight into the exponent: the shift drops all other bits of t.
  return as_double(as_ulong(p) + (as_ulong(t) << 52));
}
