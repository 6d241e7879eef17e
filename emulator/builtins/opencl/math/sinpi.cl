// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinpi, cospi, tanpi. Owed: 4, 4, 6 ulp (f32, f64), 2 (half). |x| = n / 2 + r is exact; then polynomials for sin and
// cos of pi r, |r| <= 1/4, pi itself in two parts.
#include "emulator/builtins/opencl/math/widths.h"

typedef struct {
  float r;
  uint n;
} HalvesF;
typedef struct {
  double r;
  uint n;
} HalvesD;

// n modulo 4: the even part of |x| is subtracted first (exactly), so n is small. NaN for infinity.
US_INLINE HalvesF halvesOf(float x) {
  float a = absOf(x);
  float b = a - 2.0f * __builtin_elementwise_floor(a * 0.5f);
  float t = fusedf(b, 2.0f, 0x1.8p23f);
  HalvesF result = {fusedf(t - 0x1.8p23f, -0.5f, b), as_uint(t)};
  return result;
}
US_INLINE HalvesD halvesOf(double x) {
  double a = absOf(x);
  double b = a - 2.0 * __builtin_elementwise_floor(a * 0.5);
  double t = fused(b, 2.0, 0x1.8p52);
  HalvesD result = {fused(t - 0x1.8p52, -0.5, b), (uint)as_ulong(t)};
  return result;
}

// sin(pi r) = r pi_hi + r (pi_lo + r^2 P)
US_INLINE float sinPart(float r) {
  float s = r * r;
  float p = fusedf(-0x1.2db7e8p-1f, s, 0x1.465facp+1f);
  p = fusedf(p, s, -0x1.4abbbep+2f);
  return fusedf(r, 0x1.921fb6p+1f, r * fusedf(p, s, -0x1.777a5cp-24f));
}
US_INLINE float cosPart(float r) {
  float s = r * r;
  float p = fusedf(0x1.d4f09cp-3f, s, -0x1.55b2b6p+0f);
  p = fusedf(p, s, 0x1.03c1bp+2f);
  p = fusedf(p, s, -0x1.3bd3ccp+2f);
  return fusedf(p, s, 1.0f);
}
US_INLINE double sinPart(double r) {
  double s = r * r;
  double p = fused(-0x1.73d4712f4925dp-16, s, 0x1.e908d651db671p-12);
  p = fused(p, s, -0x1.e3076ec7cd575p-8);
  p = fused(p, s, 0x1.5078349d9d94fp-4);
  p = fused(p, s, -0x1.32d2cce63af7fp-1);
  p = fused(p, s, 0x1.466bc6775ab7cp+1);
  p = fused(p, s, -0x1.4abbce625be53p+2);
  return fused(r, 0x1.921fb54442d18p+1, r * fused(p, s, 0x1.1a62633145c07p-53));
}
US_INLINE double cosPart(double r) {
  double s = r * r;
  double p = fused(-0x1.b041e8367b98ep-14, s, 0x1.f9c4cd789f7f8p-10);
  p = fused(p, s, -0x1.a6d1e2519df3p-6);
  p = fused(p, s, 0x1.e1f50675bfc5ep-3);
  p = fused(p, s, -0x1.55d3c7e3bfe6dp+0);
  p = fused(p, s, 0x1.03c1f081b5a52p+2);
  p = fused(p, s, -0x1.3bd3cc9be45dep+2);
  return fused(p, s, 1.0);
}

// "sinpi(n) returns +0 for n > 0, -0 for n < 0"; "cospi(n + 0.5) is +0 for any integer n"; "tanpi(n) is copysign(0.0,
// n) for even, -n for odd integers n", "tanpi(n + 0.5) is copysign(inf, n) for even, -n for odd n".
#define US_PI_FUNCTIONS(T, HALVES)                                                                                     \
  T US_HOT sinpi(T x) {                                                                                                \
    HALVES a = halvesOf(x);                                                                                            \
    T y = (a.n & 1u) != 0 ? cosPart(a.r) : sinPart(a.r);                                                               \
    y = (a.n & 2u) != 0 ? (T)0 - y : y;                                                                                \
    return flipSign(y, x);                                                                                             \
  }                                                                                                                    \
  T US_HOT cospi(T x) {                                                                                                \
    HALVES a = halvesOf(x);                                                                                            \
    uint n = a.n + 1u;                                                                                                 \
    T y = (n & 1u) != 0 ? cosPart(a.r) : sinPart(a.r);                                                                 \
    return (n & 2u) != 0 ? (T)0 - y : y;                                                                               \
  }                                                                                                                    \
  T US_HOT tanpi(T x) {                                                                                                \
    HALVES a = halvesOf(x);                                                                                            \
    T s = sinPart(a.r), c = cosPart(a.r);                                                                              \
    bool odd = (a.n & 1u) != 0;                                                                                        \
    T y = (odd ? c : s) / (odd ? s : c);                                                                               \
    bool negative = odd && a.r != (T)0;                                                                                \
    negative = a.r == (T)0 && (a.n & 2u) != 0 ? true : negative;                                                       \
    return flipSign(negative ? -y : y, x);                                                                             \
  }
US_PI_FUNCTIONS(float, HalvesF)
US_PI_FUNCTIONS(double, HalvesD)
US_ALL1(sinpi)
US_ALL1(cospi)
US_ALL1(tanpi)
