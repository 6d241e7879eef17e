// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm kernels that log, log1p, pow and the inverse hyperbolic functions share: x = 2^k (1 + f), with 1 + f
// between sqrt(1/2) and sqrt(2), found by integer arithmetic on the bits of x.
#pragma once
#include "emulator/builtins/opencl/math/widths.h"

typedef struct {
  float k, f;
} SplitF;
typedef struct {
  double k, f;
} SplitD;

// x positive and finite (another x gives some number). What is added to the bits is 1 - sqrt(1/2) in units of the
// significand; the exponent becomes a number as the low bits of a large one, as not every processor can convert 64
// bits.
US_INLINE SplitF splitLogScaled(float x, float bias) {
  uint bits = as_uint(x) + 0x4afb0du;
  float k = as_float((bits >> 23) | 0x4b000000u) - bias;
  float m = as_float((bits & 0x7fffffu) + 0x3f3504f3u);
  SplitF result = {k, m - 1.0f};
  return result;
}
US_INLINE SplitF splitLogNormal(float x) { return splitLogScaled(x, 0x1p23f + 127.0f); }
US_INLINE SplitF splitLogDenormal(float x) { return splitLogScaled(x * 0x1p23f, 0x1p23f + 150.0f); }
US_INLINE SplitF splitLog(float x) {
  bool denormal = x < 0x1p-126f;
  return splitLogScaled(denormal ? x * 0x1p23f : x, denormal ? 0x1p23f + 150.0f : 0x1p23f + 127.0f);
}
US_INLINE SplitD splitLogScaled(double x, double bias) {
  ulong bits = as_ulong(x) + 0x00095f6200000000ul;
  double k = as_double((bits >> 52) | 0x4330000000000000ul) - bias;
  double m = as_double((bits & 0xffffffffffffful) + 0x3fe6a09e00000000ul);
  SplitD result = {k, m - 1.0};
  return result;
}
US_INLINE SplitD splitLogNormal(double x) { return splitLogScaled(x, 0x1p52 + 1023.0); }
US_INLINE SplitD splitLogDenormal(double x) { return splitLogScaled(x * 0x1p54, 0x1p52 + 1077.0); }
US_INLINE SplitD splitLog(double x) {
  bool denormal = x < 0x1p-1022;
  return splitLogScaled(denormal ? x * 0x1p54 : x, denormal ? 0x1p52 + 1077.0 : 0x1p52 + 1023.0);
}

// What log, log2 and log10 do for arguments that are not positive and finite; otherwise y.
US_INLINE float logSpecial(float x, float y) {
  if (as_uint(x) - 1u >= 0x7f7fffffu) y = x == 0.0f ? -INFINITY : (x < 0.0f ? NAN : x);
  return y;
}
US_INLINE double logSpecial(double x, double y) {
  if (as_ulong(x) - 1ul >= 0x7feffffffffffffful) y = x == 0.0 ? -(double)INFINITY : (x < 0.0 ? (double)NAN : x);
  return y;
}

// log(1 + f) + k ln 2 in f32. log(1 + f) = f - f^2 / 2 + f^3 P(f), relative error 2^-29.
US_INLINE float logCore(float f, float k) {
  float f2 = f * f;
  float p = pairs8(f, f2, fusedf(0x1.b02c1ap-5f, f, -0x1.bdaea2p-4f), -0.5f, 0x1.555548p-2f, -0x1.000076p-2f,
                   0x1.99a54ap-3f, -0x1.552cacp-3f, 0x1.23007cp-3f, -0x1.012a16p-3f, 0x1.f067c6p-4f);
  float y = fusedf(f2, p, f);
  return fusedf(k, 0x1.62e43p-1f, fusedf(k, -0x1.05c61p-29f, y));
}

// f64: with s = f / (2 + f), log(1 + f) = 2 atanh(s) = f - h + s (h + R(s^2)), h = f^2 / 2. R has a relative error of
// 2^-59 of the whole.
US_INLINE double logTail(double s) {
  double z = s * s, z2 = z * z;
  double rest = fused(0x1.2f181491aa62dp-3, z2, fused(0x1.39a004b59d7fep-3, z, 0x1.74664e557588p-3));
  return z *
         pairs4(z, z2, rest, 0x1.5555555555593p-1, 0x1.999999997f988p-2, 0x1.2492494238569p-2, 0x1.c71c51c66ff0cp-3);
}
US_INLINE double logCore(double f, double k) {
  double s = f / (2.0 + f);
  double h = 0.5 * f * f;
  double y = fused(s, h + logTail(s), k * 0x1.abc9e3b39803fp-56);
  return fused(k, 0x1.62e42fefa39efp-1, f - (h - y));
}

// log(1 + x) in f64, any x. k comes from 1 + x rounded, f = 2^-k (1 + x) - 1 from x itself.
US_INLINE double log1pCore(double x) {
  double u = 1.0 + x;
  ulong bits = as_ulong(u);
  int k = (int)((uint)(bits >> 32) - 0x3fe6a09eu) >> 20;
  bool large = x > 0x1p53;
  double scale = pow2(large ? 0 : -k);
  double f = large ? as_double(bits - ((ulong)(long)k << 52)) - 1.0 : fused(x, scale, scale - 1.0);
  double y = logCore(f, (double)k);
  y = logSpecial(u, y);
  return absOf(x) < 0x1p-55 ? x : y;
}

// log2(x) in f64 with a relative error of 2^-32, for f32 functions; x positive, finite and normal in f64.
US_INLINE double log2ForFloat(double x) {
  SplitD s = splitLogNormal(x);
  double f = s.f;
  double p = fused(-0x1.60334d2bbef3ep-4, f, 0x1.3cb513e1dc0e2p-3);
  p = fused(p, f, -0x1.4189defbbbe75p-3);
  p = fused(p, f, 0x1.45ac5706268eep-3);
  p = fused(p, f, -0x1.6eaf0b8aafcb5p-3);
  p = fused(p, f, 0x1.a615c21f6a22bp-3);
  p = fused(p, f, -0x1.ec8da4fac4a09p-3);
  p = fused(p, f, 0x1.277733891e59ap-2);
  p = fused(p, f, -0x1.7154355399e8fp-2);
  p = fused(p, f, 0x1.ec709bfce4936p-2);
  p = fused(p, f, -0x1.7154767c233a4p-1);
  p = fused(p, f, 0x1.71547652f03f3p+0);
  return fused(p, f, s.k);
}
