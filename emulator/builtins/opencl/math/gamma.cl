// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tgamma, lgamma, lgamma_r. Owed: 16 ulp for tgamma (f32, f64), 4 (half); lgamma has no limit. f32 in f64:
// gamma(z) = R(z) t^(z - 1/2) e^-t with t = z + 9/2 for z >= 1/2 (R rational, relative error 2^-41), reflection below.
#include "math/exp_core.h"
#include "math/host.h"
#include "math/log_core.h"

#define US_PI 0x1.921fb54442d18p+1
#define US_LOG2_PI 0x1.a6c873498ddf7p+0
#define US_LN2 0x1.62e42fefa39efp-1

US_INLINE double gammaRatio(double z) {
  double p = fused(0x1.40d931ff78986p+1, z, 0x1.134fb3e68fcddp+6);
  p = fused(p, z, 0x1.89980d02fa7a2p+9);
  p = fused(p, z, 0x1.2c015322412c8p+12);
  p = fused(p, z, 0x1.012c2a9a82e52p+14);
  p = fused(p, z, 0x1.d629768af77bfp+14);
  p = fused(p, z, 0x1.660a7b85ad11ep+14);
  double q = fused(z, z, z) * (z + 2.0) * (z + 3.0) * (z + 4.0) * (z + 5.0);
  return p / q;
}

// |sin(pi x)|; whether floor(x) is odd.
US_INLINE double sinPiMagnitude(double x) {
  double r = x - nearest(x);
  double s = r * r;
  double p = fused(0x1.d4ea5d7e06f7dp-12, s, -0x1.e297b8d871472p-8);
  p = fused(p, s, 0x1.5076fe3f02d9bp-4);
  p = fused(p, s, -0x1.32d2c96aee2a3p-1);
  p = fused(p, s, 0x1.466bc66dc2d44p+1);
  p = fused(p, s, -0x1.4abbce6247dfap+2);
  p = fused(p, s, 0x1.921fb54442b5dp+1);
  return absOf(r * p);
}
US_INLINE bool floorIsOdd(double x) {
  double half_ = __builtin_elementwise_floor(x) * 0.5;
  return half_ != __builtin_elementwise_floor(half_);
}

float US_OVERLOAD tgamma(float x) {
  double d = x;
  d = within(d, -60.0, 40.0);
  bool reflect = d < 0.5;
  double z = reflect ? 1.0 - d : d;
  double t = z + 4.5;
  double power = exp2ForFloat(fused(z - 0.5, log2ForFloat(t), t * -0x1.71547652b82fep+0));
  double y = gammaRatio(z) * power;
  double reflected = US_PI / (sinPiMagnitude(d) * y);
  reflected = floorIsOdd(d) ? -reflected : reflected;
  float result = (float)(reflect ? reflected : y);
  // "tgamma(±0) returns ±inf", and there is no value at negative integers. Below -50 only zero, of either sign, is
  // left.
  result = x == 0.0f ? withSign(INFINITY, x) : result;
  bool odd = floorIsOdd((double)x);
  result = x < -50.0f ? (odd ? -0.0f : 0.0f) : result;
  result = x < 0.0f && x == __builtin_elementwise_floor(x) ? NAN : result;
  return isNan(x) ? x : result;
}

US_INLINE float logGamma(float x) {
  double d = x;
  bool reflect = d < 0.5;
  double z = reflect ? 1.0 - d : d;
  double t = z + 4.5;
  double bounded = z > 0x1p60 ? 0x1p60 : z; // the ratio is constant there, its parts would overflow
  double far = fused(z - 0.5, log2ForFloat(t) * US_LN2, log2ForFloat(gammaRatio(bounded)) * US_LN2 - t);
  // Both roots, 1 and 2, as factors.
  double u = z - 1.5;
  double p = fused(-0x1.014186d4f41d9p-11, u, 0x1.7c44e9299612ap-11);
  p = fused(p, u, -0x1.fffb4d7f69eadp-15);
  p = fused(p, u, 0x1.e4cc574f6b8acp-13);
  p = fused(p, u, -0x1.66c66215b065p-10);
  p = fused(p, u, 0x1.1a2da3f3788cdp-9);
  p = fused(p, u, -0x1.9d877edebf789p-9);
  p = fused(p, u, 0x1.615dac05f3693p-8);
  p = fused(p, u, -0x1.351f61e56b2fcp-7);
  p = fused(p, u, 0x1.134d80e1470d6p-6);
  p = fused(p, u, -0x1.00799e155e989p-5);
  p = fused(p, u, 0x1.01af1fcb8e178p-4);
  p = fused(p, u, -0x1.2aed06c9c98f5p-3);
  p = fused(p, u, 0x1.eeb95b25df206p-2);
  double near = fused(u, u, -0.25) * p;
  double y = absOf(u) < 0.78 ? near : far;
  double sine = sinPiMagnitude(d);
  double reflected = (US_LOG2_PI - log2ForFloat(sine == 0.0 ? 1.0 : sine)) * US_LN2 - y;
  float result = (float)(reflect ? reflected : y);
  result = x <= 0.0f && x == __builtin_elementwise_floor(x) ? INFINITY : result;
  result = isInf(x) ? INFINITY : result;
  return isNan(x) ? x : result;
}
float US_OVERLOAD lgamma(float x) { return logGamma(x); }
double US_OVERLOAD tgamma(double x) { return us_host_tgamma(x); }
double US_OVERLOAD lgamma(double x) { return us_host_lgamma(x); }
US_ALL1(tgamma)
US_ALL1(lgamma)

// The sign of gamma(x): negative between -1 and 0, -3 and -2, and so on.
#define US_GAMMA_SIGN(T)                                                                                               \
  T US_OVERLOAD lgamma_r(T x, __private int *sign) {                                                                   \
    bool negative = x < (T)0 && isFinite(x) && floorIsOdd((double)x);                                                  \
    *sign = negative || (x == (T)0 && isNegative(x)) ? -1 : 1;                                                         \
    return lgamma(x);                                                                                                  \
  }                                                                                                                    \
  US_POINTER1(lgamma_r, T, T, int)
US_GAMMA_SIGN(float)
US_GAMMA_SIGN(double)
US_GAMMA_SIGN(half)
