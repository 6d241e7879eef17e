// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf, erfc. Owed: 16 ulp (f32, f64), 4 (half). erf is an odd polynomial below 1 and 1 - e^-Q(x) above; erfc is
// e^-x^2 times a polynomial that approximates e^x^2 erfc x, with x^2 in two parts: in 1 / (1 + x / 2) for f32 (relative
// error 2^-25), in (x - 3) / (x + 3) for f64 (2^-52).
#include "emulator/builtins/opencl/math/exp_core.h"

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
  float a = absOf(x);
  a = a > 11.0f ? 11.0f : a;
  float t = 1.0f / fusedf(0.5f, a, 1.0f), t2 = t * t;
  float high = fusedf(fusedf(0x1.3541ecp-7f, t, -0x1.bb31aep-4f), t2, fusedf(0x1.94134ep-2f, t, -0x1.40718p-1f));
  float low = fusedf(fusedf(0x1.8b5434p-2f, t, -0x1.4906b6p-4f), t2, fusedf(0x1.c1e40ap-3f, t, 0x1.eb26bap-3f));
  float p = fusedf(fusedf(high, t2 * t2, low), t2, fusedf(0x1.218304p-2f, t, 0x1.20d72p-2f));
  float square = a * a, squareLow = fusedf(a, a, -square);
  // Scaled up by 2^64, as the rounder's 64 make it, so that a denormal result is rounded once, by the last product.
  float rounder = US_ROUNDER_F + 64.0f, sum = fusedf(-square, 0x1.715476p+0f, rounder);
  float r = lessLn2(-square, sum - rounder) - squareLow;
  float e = fusedf(fusedf(expTail(r), r, 1.0f), r, 1.0f);
  float y = p * t * as_float(as_uint(e) + (as_uint(sum) << 23)) * 0x1p-64f;
  return x < 0.0f ? 2.0f - y : y;
}
// a at most 28.
US_INLINE double erfcOf(double a) {
  double t = (a - 3.0) / (a + 3.0), t2 = t * t;
  double p = fused(fused(0x1.40fe6b3c2c4b1p-32, t, 0x1.d53da13a95f1fp-31), t2,
                   fused(-0x1.a162ac385b731p-30, t, -0x1.104b18ed5c295p-27));
  p = pairs4(t, t2, p, -0x1.f6570a71a586ep-23, 0x1.e6b4f6a0d6b3bp-26, 0x1.89db43cbb5f5ap-25, 0x1.89bf26e474767p-30);
  p = pairs8(t, t2, p, -0x1.39084c403149p-11, 0x1.7ba10459c9a87p-15, 0x1.0cac2e11c216ep-14, -0x1.af86e78451033p-17,
             -0x1.0bb2b83666d11p-17, 0x1.1c8bc5e7a7927p-19, 0x1.501f5f9197a35p-20, -0x1.3b9d4f1e3e5d8p-22);
  p = pairs8(t, t2, p, 0x1.6e9827d229d2dp-3, -0x1.4e102b9cf8513p-2, 0x1.f6ff20410597p-3, -0x1.336ffbef08b59p-3,
             0x1.258b13b017caep-4, -0x1.8fa58eb5d89b7p-6, 0x1.17c838ee4e20cp-8, 0x1.73101e774be29p-11);
  double square = a * a, squareLow = fused(a, a, -square);
  // Scaled up by 2^200, so that a denormal result is rounded once, by the last product.
  double e = expScaled(-square, 200);
  return p * fused(-e, squareLow, e) * 0x1p-200;
}
// erf(x) / x for |x| <= 1.
US_INLINE double erfSlope(double x) {
  double s = x * x, s2 = s * s;
  double p = pairs4(s, s2, 0x1.05ffd737fb32ep-34, 0x1.b9df224ca4b97p-20, -0x1.5f1ecb6f0764cp-23, 0x1.f7b4bf3b13964p-27,
                    -0x1.389d4f2641625p-30);
  return pairs8(s, s2, p, 0x1.20dd750429b6dp+0, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b3p-4, -0x1.b82ce31284ep-6,
                0x1.565bcd0dbaa38p-8, -0x1.c02db3dac435fp-11, 0x1.f9a321d5b8e1ep-14, -0x1.f4d1e3183f7aep-17);
}
double US_HOT erf(double x) {
  double a = absOf(x), b = a > 6.0 ? 6.0 : a, b2 = b * b;
  double q = fused(fused(0x1.27b789f151235p-35, b, -0x1.01c5d484afe58p-30), b2,
                   fused(0x1.4fd5cadd9ea1bp-27, b, -0x1.63b7846ac375cp-26));
  q = pairs4(b, b2, q, 0x1.4224c1076353p-12, -0x1.06e8e64e93a9ap-14, 0x1.1fcc6905577adp-17, -0x1.49c12b664f211p-21);
  q = pairs8(b, b2, q, 0x1.ee60a65767b6p-20, 0x1.20dc4e61ddec2p+0, 0x1.45fd3a52874dfp-1, 0x1.a415c0d93c635p-4,
             -0x1.32d1b98202d54p-6, -0x1.9074c03942ae2p-11, 0x1.2a1800be14838p-9, -0x1.13a79cca19763p-10);
  RoundedD n = roundProduct(-q, 0x1.71547652b82fep+0);
  double r = lessLn2(-q, n.n);
  double e = fused(r * r, expTail(r), r) + 1.0;
  double large = 1.0 - as_double(as_ulong(e) + (n.bits << 52));
  return isNan(x) ? x : flipSign(a < 1.0 ? a * erfSlope(x) : large, x);
}
double US_HOT erfc(double x) {
  double a = absOf(x);
  double y = erfcOf(a > 28.0 ? 28.0 : a);
  y = x < 0.0 ? 2.0 - y : y;
  y = a < 0.5 ? 1.0 - x * erfSlope(x) : y;
  return isNan(x) ? x : y;
}
US_ALL1(erf)
US_ALL1(erfc)
