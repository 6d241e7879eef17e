// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithm and exponential in f64 with about 64 bits, for the functions that multiply a logarithm by a large number.
#pragma once
#include "emulator/builtins/opencl/math/exp_core.h"
#include "emulator/builtins/opencl/math/log_core.h"

typedef struct {
  double hi, lo;
} TwofoldD;

// log(a) with a relative error of about 2^-65; a positive and finite (another a gives some number).
US_INLINE TwofoldD logTwofold(double a) {
  SplitD split = splitLog(a);
  double f = split.f, k = split.k;
  // s = f / (2 + f), and log(1 + f) = 2 s + s^3 (2/3 + s^2 R(s^2)).
  double d = 2.0 + f, dLow = f - (d - 2.0);
  double inverse = 1.0 / d;
  double s = f * inverse;
  double sLow = inverse * (fused(-s, d, f) - s * dLow);
  double z = s * s, zLow = fused(s, s, -z) + 2.0 * s * sLow;
  double p = fused(0x1.ec3ddd81a09bp-4, z, 0x1.a5141fd67d419p-4);
  p = fused(p, z, 0x1.e264fe3c08a5cp-4);
  p = fused(p, z, 0x1.110f1dab0d1f2p-3);
  p = fused(p, z, 0x1.3b13ba562c289p-3);
  p = fused(p, z, 0x1.745d172bcf192p-3);
  p = fused(p, z, 0x1.c71c71c747e6dp-3);
  p = fused(p, z, 0x1.2492492492363p-2);
  p = fused(p, z, 0x1.999999999999ap-2);
  double t = z * p;
  double c = 0x1.5555555555555p-1 + t;
  double cLow = (0x1.5555555555555p-1 - c) + t + 0x1.5555555555555p-55;
  double q = z * c, qLow = fused(z, c, -q) + fused(z, cLow, zLow * c);
  double m = s * q, mLow = fused(s, q, -m) + fused(s, qLow, sLow * q);
  double h = 2.0 * s + m;
  double hLow = (2.0 * s - h) + m + fused(2.0, sLow, mLow);
  // k ln 2 with 38 bits in its first part: exact.
  double whole = k * 0x1.62e42fefap-1;
  double sum = whole + h;
  double sumLow = (whole - sum) + h + fused(k, 0x1.cf79abc9e3b3ap-40, hLow);
  double l = sum + sumLow;
  double lLow = (sum - l) + sumLow;
  TwofoldD result = {l, lLow};
  return result;
}

// factor * e^(e + eLow): one rounding at the end, also of denormal results. factor is near 1.
US_INLINE double expTwofold(double e, double eLow, double factor) {
  e = within(e, -800.0, 800.0);
  RoundedD n = roundProduct(e, 0x1.71547652b82fep+0);
  double r = lessLn2(e, n.n) + eLow;
  double p = fused(r * r, expTail(r), r);
  return scaleBy(fused(factor, p, factor), n.k);
}
