// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tgamma, lgamma, lgamma_r. Owed: 16 ulp for tgamma (f32, f64), 4 (half); lgamma has no limit. Both:
// gamma(z) = R(z) t^(z - 1/2) e^-t with t = z + 9/2 for z >= 1/2 (R rational, relative error 2^-41), reflection below.
#include "emulator/builtins/opencl/math/pow_core.h"

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
// ---- f64: t = z + 6.5, R with a relative error of 2^-61, logarithms twofold
US_INLINE double gammaRatioWide(double z) {
  double p = fused(0x1.40d931ff62706p+1, z, 0x1.2f17d7bb15d32p+7);
  p = fused(p, z, 0x1.fcb06bf7f3a3cp+11);
  p = fused(p, z, 0x1.f1b6b160d0e47p+15);
  p = fused(p, z, 0x1.38df03bcbd7ep+19);
  p = fused(p, z, 0x1.0616206e8f963p+22);
  p = fused(p, z, 0x1.2491401064fbap+24);
  p = fused(p, z, 0x1.a3af873b481cep+25);
  p = fused(p, z, 0x1.5f029f8f9b047p+26);
  p = fused(p, z, 0x1.04d389a33ba29p+26);
  double q = fused(1.0, z, 36.0);
  q = fused(q, z, 546.0);
  q = fused(q, z, 4536.0);
  q = fused(q, z, 22449.0);
  q = fused(q, z, 67284.0);
  q = fused(q, z, 118124.0);
  q = fused(q, z, 109584.0);
  q = fused(q, z, 40320.0);
  return p / (q * z);
}

// log(t) (z - 1/2) - t for z + zLow.
US_INLINE TwofoldD gammaExponent(double z, double zLow) {
  double t = z + 6.5;
  double tLow = (6.5 - (t - z)) + zLow;
  TwofoldD l = logTwofold(t);
  l.lo += tLow / t;
  double power = z - 0.5;
  double a = power * l.hi;
  double aLow = fused(power, l.hi, -a) + fused(power, l.lo, zLow * l.hi);
  double e = a - t;
  // |a| >= |t| or not: the exact rest of the difference either way.
  double back = e - a;
  double rest = (a - (e - back)) - (t + back);
  TwofoldD result = {e, rest + aLow - tLow};
  return result;
}

// |sin(pi x)| relative to its value.
US_INLINE double sinPiMagnitudeWide(double x) {
  double r = absOf(x - nearest(x));
  return sinpi(r);
}

double US_OVERLOAD tgamma(double x) {
  double d = within(x, -190.0, 180.0);
  bool reflect = d < 0.5;
  double z = reflect ? 1.0 - d : d;
  double zLow = reflect ? (1.0 - z) - d : 0.0;
  TwofoldD e = gammaExponent(z, zLow);
  double ratio = gammaRatioWide(z);
  double factor = reflect ? US_PI / (sinPiMagnitudeWide(d) * ratio) : ratio;
  // Near zero the factor is beyond what the exponential may be given.
  bool tiny = absOf(d) < 0x1p-60;
  double y = expTwofold(reflect ? -e.hi : e.hi, reflect ? -e.lo : e.lo, tiny ? 1.0 : factor);
  y = reflect && floorIsOdd(d) ? -y : y;
  y = tiny ? 1.0 / x : y;
  bool odd = floorIsOdd(x);
  y = x < -188.0 ? (odd ? -0.0 : 0.0) : y;
  y = x < 0.0 && x == __builtin_elementwise_floor(x) ? (double)NAN : y;
  return isNan(x) ? x : y;
}

double US_OVERLOAD lgamma(double x) {
  bool reflect = x < 0.5;
  double z = reflect ? 1.0 - x : x;
  double bounded = z > 0x1p100 ? 0x1p100 : z;
  TwofoldD e = gammaExponent(z, 0.0);
  double far = e.hi + (log(gammaRatioWide(bounded)) + e.lo);
  far = z > 0x1p100 ? z * (log(z) - 1.0) : far;
  double u = z - 1.5;
  double p = fused(-0x1.4a20e67895dccp-19, u, 0x1.fe5e21d858868p-19);
  p = fused(p, u, 0x1.5a7406b455c32p-18);
  p = fused(p, u, -0x1.0b324c7f523f9p-17);
  p = fused(p, u, -0x1.4ab90ac7cfd7ep-17);
  p = fused(p, u, 0x1.ffb083016e712p-17);
  p = fused(p, u, 0x1.53751b1263be4p-19);
  p = fused(p, u, -0x1.fe41d437a19c4p-19);
  p = fused(p, u, -0x1.e5fd94805bc08p-17);
  p = fused(p, u, 0x1.7c8e3430deef7p-16);
  p = fused(p, u, -0x1.a1c69d039adc3p-16);
  p = fused(p, u, 0x1.4b0ce5e18bdadp-15);
  p = fused(p, u, -0x1.17d6aa9156267p-14);
  p = fused(p, u, 0x1.bda3f8b767632p-14);
  p = fused(p, u, -0x1.6209cc79cdd5dp-13);
  p = fused(p, u, 0x1.1c5505798c436p-12);
  p = fused(p, u, -0x1.cb47fb8a6660fp-12);
  p = fused(p, u, 0x1.750ce0dbcb3ep-11);
  p = fused(p, u, -0x1.313e7b02958b1p-10);
  p = fused(p, u, 0x1.f814a32b123dp-10);
  p = fused(p, u, -0x1.a503528d106dfp-9);
  p = fused(p, u, 0x1.64f066922295ep-8);
  p = fused(p, u, -0x1.34dbda1409a48p-7);
  p = fused(p, u, 0x1.1334235211e43p-6);
  p = fused(p, u, -0x1.007aa83cee72ap-5);
  p = fused(p, u, 0x1.01af62a292dfdp-4);
  p = fused(p, u, -0x1.2aed059bd6089p-3);
  p = fused(p, u, 0x1.eeb95b094c191p-2);
  // (z - 1) (z - 2), and 1 - x - 1 is better -x.
  double first = reflect ? -x : z - 1.0;
  double near = first * (z - 2.0) * p;
  double y = absOf(u) < 0.8 ? near : far;
  double sine = sinPiMagnitudeWide(x);
  double reflected = log(US_PI / (sine == 0.0 ? 1.0 : sine)) - y;
  double result = reflect ? reflected : y;
  // The sine of a denormal is one too, and its reciprocal infinite.
  result = absOf(x) < 0x1p-60 ? -log(absOf(x)) : result;
  result = x <= 0.0 && x == __builtin_elementwise_floor(x) ? (double)INFINITY : result;
  result = isInf(x) ? (double)INFINITY : result;
  return isNan(x) ? x : result;
}
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
