// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithm and exponential in f64 with about 62 bits, for the functions that multiply a logarithm by a large number.
#pragma once
#include "emulator/builtins/opencl/math/exp_core.h"
#include "emulator/builtins/opencl/math/log_core.h"

typedef struct {
  double hi, lo;
} TwofoldD;

// log(a) with a relative error of about 2^-62; a positive and finite (another a gives some number).
US_INLINE TwofoldD logTwofold(SplitD split) {
  double f = split.f, k = split.k;
  // v = f / (1 + f / 2), and log(1 + f) = v + v^3 / 12 + v^5 T(v^2).
  double d = fused(0.5, f, 1.0), dLow = fused(0.5, f, 1.0 - d);
  double inverse = 1.0 / d;
  double v = f * inverse, vLow = inverse * fused(-v, dLow, fused(-v, d, f));
  double w = v * v, w2 = w * w;
  double u = v * w, uLow = fused(v, fused(v, v, -w), fused(v, w, -u));
  double t = fused(0x1.0884830ba1d12p-20, w2, fused(0x1.10179250d3aa5p-18, w, 0x1.3b18c2f527345p-16));
  t = pairs4(w, w2, t, 0x1.999999999999fp-7, 0x1.249249248e2e2p-9, 0x1.c71c71d83f7f6p-12, 0x1.745d09c5810cdp-14);
  t = u * fused(w, t, 0x1.5555555555555p-58);
  double h = fused(u, 0x1.5555555555555p-4, v);
  double hLow =
      fused(u, 0x1.5555555555555p-4, v - h) + fused(vLow, fused(0.25, w, 1.0), fused(uLow, 0x1.5555555555555p-4, t));
  // k ln 2 with 38 bits in its first part: exact.
  double whole = k * 0x1.62e42fefap-1;
  double sum = whole + h;
  double sumLow = (whole - sum) + h + fused(k, 0x1.cf79abc9e3b3ap-40, hLow);
  double l = sum + sumLow;
  double lLow = (sum - l) + sumLow;
  TwofoldD result = {l, lLow};
  return result;
}

US_INLINE TwofoldD logTwofold(double a) { return logTwofold(splitLog(a)); }

// factor * e^(e + eLow): one rounding at the end, also of denormal results. factor is near 1.
US_INLINE double expTwofold(double e, double eLow, double factor) {
  e = within(e, -800.0, 800.0);
  RoundedD n = roundProduct(e, 0x1.71547652b82fep+0);
  double r = lessLn2(e, n.n) + eLow;
  double p = fused(r * r, expTail(r), r);
  return scaleBy(fused(factor, p, factor), n.k);
}
