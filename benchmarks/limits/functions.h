// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for loops that are vectorised, as exact as OpenCL wants them. The coefficients are Chebyshev fits. What the
// reductions of arguments do not reach (kFar), and what the fast paths do not give back, is left to the C library.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace limits {

// Beyond, sine and cosine take another reduction than ours.
constexpr float kFar = 60000;

// Adding this rounds to a whole number, which the sum's low bits are.
constexpr float kWhole = 12582912;

template <class T, int N> inline T polynomial(T x, const T (&c)[N]) {
  T p = c[0];
  for (int i = 1; i < N; ++i) p = p * x + c[i];
  return p;
}

inline float powerOf2(float n) { return std::bit_cast<float>((static_cast<int>(n) + 127) << 23); }
inline double powerOf2(double n) {
  // The sum's low bits are the whole number.
  return std::bit_cast<double>((std::bit_cast<int64_t>(n + 6755399441055744.0) + 1023) << 52);
}

// In two factors, as results may be subnormal.
inline float scaled(float x, float n) {
  float half = __builtin_rintf(n * 0.5f);
  return x * powerOf2(half) * powerOf2(n - half);
}

// Of x + low, which need not fit one number.
inline float exponential(float x, float low = 0) {
  x = x < -120 ? -120 : x > 100 ? 100 : x;
  float n = __builtin_rintf((x + low) * 1.44269504f);
  float r = x - n * 0.693145752f - n * 1.42860677e-6f + low;
  float p = polynomial(r, {1.39261765e-3f, 8.36317307e-3f, 4.16665547e-2f, 1.66665770e-1f, 0.5f});
  return scaled(1 + (r + r * r * p), n);
}

// x 2^n of a sum n + kWhole; what is no normal number is wrong.
inline float times2(float x, float sum) {
  return std::bit_cast<float>(std::bit_cast<int>(x) + (std::bit_cast<int>(sum) << 23));
}

// |x| <= kFarPower
constexpr float kFarPower = 87;
inline float exponentialNear(float x) {
  float sum = x * 1.44269504f + kWhole, n = sum - kWhole, r = x - n * 0.693145752f - n * 1.42860677e-6f;
  float p = polynomial(r, {1.39261765e-3f, 8.36317307e-3f, 4.16665547e-2f, 1.66665770e-1f, 0.5f});
  return times2(1 + (r + r * r * p), sum);
}
inline float exponential2Near(float x) {
  float sum = x + kWhole, r = x - (sum - kWhole);
  return times2(1 + r * polynomial(r, {1.54531629e-4f, 1.33908634e-3f, 9.61808256e-3f, 5.55035712e-2f, 2.40226508e-1f,
                                       6.93147188e-1f}),
                sum);
}

// Positive, and neither subnormal nor infinite: what logarithms take here.
inline bool isNormal(float x) { return x >= 1.17549435e-38f && x <= 3.40282347e38f; }

// x = 2^exponent (1 + fraction); the logarithm of 1 + fraction is fraction + the result.
inline float logarithmPart(float x, float &exponent, float &fraction) {
  int bits = std::bit_cast<int>(x) - 0x3f3504f3;
  exponent = static_cast<float>(bits >> 23);
  float f = fraction = std::bit_cast<float>((bits & 0x7fffff) + 0x3f3504f3) - 1;
  float p = polynomial(f, {-7.90274377e-2f, 1.26223198e-1f, -1.29981838e-1f, 1.42144959e-1f, -1.66412815e-1f,
                           2.00010451e-1f, -2.50003064e-1f, 3.33333307e-1f});
  return f * f * (p * f - 0.5f);
}

inline float logarithm(float x) {
  float e, f, rest = logarithmPart(x, e, f);
  return e * 0.693145752f + (f + (rest + e * 1.42860677e-6f));
}

inline float logarithm2(float x) {
  float e, f, rest = logarithmPart(x, e, f);
  return e + (f * 1.44269504f + rest * 1.44269504f);
}

inline float sinePolynomial(float r) {
  float y = r * r;
  return r + r * y * polynomial(y, {2.63475639e-6f, -1.98227395e-4f, 8.33324214e-3f, -1.66666660e-1f});
}
// Minus x for an odd n of the sum n + kWhole.
inline float withSign(float x, float sum) {
  return std::bit_cast<float>(std::bit_cast<int>(x) ^ std::bit_cast<int>(sum) << 31);
}
// x - n pi. All but the last products and differences are exact, so that what is nearly zero is good to the last bit.
inline float turned(float x, float n) {
  return x - n * 3.140625f - n * 9.67502594e-4f - n * 1.50995803e-7f + n * 3.43024902e-15f;
}

// |x| <= kFar
inline float sine(float x) {
  float sum = x * 0.318309886f + kWhole;
  return withSign(sinePolynomial(turned(x, sum - kWhole)), sum);
}
inline float cosine(float x) {
  float sum = (x * 0.318309886f - 0.5f) + kWhole, n = sum - kWhole + 0.5f;
  return -withSign(sinePolynomial(turned(x, n)), sum);
}

inline float hyperbolicTangent(float x) {
  float a = __builtin_fabsf(x), y = x * x;
  float near =
      x + x * y * polynomial(y, {-6.09671417e-3f, 2.09971790e-2f, -5.38509096e-2f, 1.33327698e-1f, -3.33333289e-1f});
  float far = 1 - 2 / (exponentialNear(a > 10 ? 20 : 2 * a) + 1);
  return a < 0.625f ? near : __builtin_copysignf(far, x);
}

inline float arcTangent2(float y, float x) {
  float a = __builtin_fabsf(y), b = __builtin_fabsf(x), low = a < b ? a : b, high = a < b ? b : a;
  float t = low == high ? (high == 0 ? 0.0f : 1.0f) : low / high, s = t * t;
  float r = t + t * s *
                    polynomial(s, {3.86673891e-3f, -2.00267476e-2f, 4.89143215e-2f, -8.00968172e-2f, 1.08657591e-1f,
                                   -1.42570449e-1f, 1.99986812e-1f, -3.33333231e-1f});
  r = a > b ? 1.57079633f - r : r;
  r = std::bit_cast<int>(x) < 0 ? 3.14159265f - r : r;
  return __builtin_copysignf(x != x || y != y ? x + y : r, y);
}

// The whole and the fraction of the power are kept apart. Good to 16 units if |y log2(m)| < 8 for the mantissa m.
inline float power(float x, float y, bool &far) {
  float e, f, rest = logarithmPart(x, e, f), m = f * 1.44269504f + rest * 1.44269504f, whole = y * e;
  far = !isNormal(x) || !(__builtin_fabsf(y * m) < 8) || !(__builtin_fabsf(whole) < 110);
  float n = __builtin_rintf(whole), r = (y * e - n) + y * m, sum = n + r + kWhole;
  r -= sum - kWhole - n;
  return times2(1 + r * polynomial(r, {1.54531629e-4f, 1.33908634e-3f, 9.61808256e-3f, 5.55035712e-2f, 2.40226508e-1f,
                                       6.93147188e-1f}),
                sum);
  ;
}

inline float complementaryError(float x) {
  float z = __builtin_fabsf(x), t = 1 / (1 + 0.5f * z), square = z * z, low = __builtin_fmaf(z, z, -square);
  float p = polynomial(t, {0.171006749f, -0.819691596f, 1.47524871f, -1.10789980f, 0.248865977f, -0.166922715f,
                           0.0893019410f, 0.375766296f, 0.999827658f, -1.26550315f});
  float r = t * exponential(-square, p - low);
  return x < 0 ? 2 - r : r;
}

inline double exponential(double x) {
  double n = __builtin_rint(x * 1.4426950408889634), r = x - n * 0.69314718060195446014 + n * 4.2009150726810846e-11;
  double p = polynomial(r, {2.51003758325612337e-8, 2.76200758799833666e-7, 2.75572684803100255e-6,
                            2.48015213223686933e-5, 1.98412698630405453e-4, 1.38888889171967191e-3,
                            8.33333333333006445e-3, 4.16666666666241619e-2, 0.166666666666666675, 0.5});
  return (1 + (r + r * r * p)) * powerOf2(n);
}

inline double logarithm(double x) {
  int64_t bits = std::bit_cast<int64_t>(x) - 0x3fe6a09e667f3bcd;
  double e = static_cast<double>(bits >> 52);
  double f = std::bit_cast<double>((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd) - 1, s = f / (2 + f), y = s * s;
  double r = y * polynomial(y, {0.146164496850434059, 0.153317216005560413, 0.181828891252617221, 0.222222111347950799,
                                0.285714286259754849, 0.399999999998995045, 0.666666666666666969});
  double half = 0.5 * f * f;
  return e * 0.69314718060195446014 - ((half - s * (half + r) + e * 4.2009150726810846e-11) - f);
}

inline double sine(double x) {
  double n = __builtin_rint(x * 0.31830988618379067);
  double r = x - n * 3.1415926534682512283 - n * 1.2154201012607931953e-10 - n * 4.0445324975919012631e-21, y = r * r;
  double s = r + r * y *
                     polynomial(y, {2.73144476698639934e-15, -7.64397029679857205e-13, 1.60589773124640876e-10,
                                    -2.50521076169961829e-8, 2.75573192191632334e-6, -1.98412698412549738e-4,
                                    8.33333333333331587e-3, -0.166666666666666666});
  return std::bit_cast<double>(std::bit_cast<int64_t>(s) ^ std::bit_cast<int64_t>(n + 6755399441055744.0) << 63);
}

} // namespace limits
