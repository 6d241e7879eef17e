// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf, erfc. Owed: 16 ulp (f32, f64), 4 (half). f32: erf is an odd polynomial below 1 and 1 - e^-Q(x) above; erfc is
// e^-x^2 times a polynomial in (x - 3) / (x + 3) that approximates e^x^2 erfc x, in f64, where x^2 is exact.
#include "math/exp_core.h"
#include "math/host.h"

float US_HOT erf(float x) {
  float a = absOf(x), s = x * x;
  float p = fusedf(-0x1.20843p-11f, s, 0x1.404e2ap-8f);
  p = fusedf(p, s, -0x1.b53cdcp-6f);
  p = fusedf(p, s, 0x1.ce00dcp-4f);
  p = fusedf(p, s, -0x1.812638p-2f);
  p = fusedf(p, s, 0x1.20dd74p+0f);
  float small = a * p;
  float b = a > 4.0f ? 4.0f : a;
  float q = fusedf(0x1.320474p-10f, b, -0x1.e8b14p-7f);
  q = fusedf(q, b, 0x1.6cc7f2p-4f);
  q = fusedf(q, b, 0x1.4ec466p-1f);
  q = fusedf(q, b, 0x1.1e3018p+0f);
  q = fusedf(q, b, 0x1.4bad5ap-9f);
  float large = 1.0f - expScaled(-q, 0);
  return flipSign(a < 1.0f ? small : (isNan(x) ? x : large), x);
}
float US_HOT erfc(float x) {
  double a = absOf((double)x);
  a = a > 11.0 ? 11.0 : a;
  double t = (a - 3.0) / (a + 3.0);
  double p = fused(0x1.293fdc4c357b3p-18, t, 0x1.1182af9f5cf6bp-14);
  p = fused(p, t, 0x1.ffbe305aed549p-16);
  p = fused(p, t, -0x1.3b73f372d30c9p-11);
  p = fused(p, t, 0x1.75bd693f8b384p-11);
  p = fused(p, t, 0x1.17e5b2bda6dfdp-8);
  p = fused(p, t, -0x1.8fa930387aacap-6);
  p = fused(p, t, 0x1.258ad4970d80fp-4);
  p = fused(p, t, -0x1.336ff2d0989c3p-3);
  p = fused(p, t, 0x1.f6ff2192ae742p-3);
  p = fused(p, t, -0x1.4e102bb928519p-2);
  p = fused(p, t, 0x1.6e9827d05c401p-3);
  double y = p * exp2ForFloat(a * a * -0x1.71547652b82fep+0);
  return isNan(x) ? x : (float)(x < 0.0f ? 2.0 - y : y);
}
double US_OVERLOAD erf(double x) { return us_host_erf(x); }
double US_OVERLOAD erfc(double x) { return us_host_erfc(x); }
US_ALL1(erf)
US_ALL1(erfc)
