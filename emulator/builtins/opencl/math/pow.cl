// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow, pown, powr, rootn. Owed: 16 ulp (f32, f64), 4 (half). |x|^y = e^(y log |x|): f32 with a logarithm in f64, f64
// with one in double-double (relative error about 2^-65). Signs and special cases are selects after that.
#include "math/exp_core.h"
#include "math/log_core.h"

// ---- f32: a^y for a >= 0 -------------------------------------------------------------------------------------------
// The logarithm of zero is -inf, of infinity inf; y times that is then right for every y but 0 (NaN).
US_INLINE double log2OfMagnitude(float a) {
  double l = log2ForFloat((double)a);
  l = a == 0.0f ? -(double)INFINITY : l;
  return a < INFINITY ? l : (double)a;
}
US_INLINE float powMagnitude(float a, double y) {
  return (float)exp2ForFloat(within(log2OfMagnitude(a) * y, -300.0, 300.0));
}
US_INLINE float rootMagnitude(float a, int n) {
  return (float)exp2ForFloat(within(log2OfMagnitude(a) / (double)n, -300.0, 300.0));
}

// ---- f64: a^(y + yLow) for a >= 0 ----------------------------------------------------------------------------------
US_INLINE double powMagnitude(double a, double y, double yLow) {
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
  bool plain = a > 0.0 && a < (double)INFINITY;
  double extreme = a == 0.0 ? -(double)INFINITY : a;
  l = plain ? l : extreme;

  double e = y * l;
  double eLow = fused(y, l, -e) + fused(y, lLow, yLow * l);
  bool inside = absOf(e) < 800.0;
  eLow = inside && plain ? eLow : 0.0;
  e = within(e, -800.0, 800.0);
  RoundedD n = roundProduct(e, 0x1.71547652b82fep+0);
  double r = lessLn2(e, n.n) + eLow;
  double result = fused(r * r, expTail(r), r) + 1.0;
  return scaleBy(result, n.k);
}
US_INLINE double powMagnitude(double a, double y) { return powMagnitude(a, y, 0.0); }
US_INLINE double rootMagnitude(double a, int n) {
  double d = n, y = 1.0 / d;
  double yLow = fused(-y, d, 1.0) / d;
  return powMagnitude(a, y, n == 0 ? 0.0 : yLow);
}

// "pow(x, ±0) returns 1 for any x, even a NaN", "pow(+1, y) returns 1 for any y, even a NaN"; a negative base needs an
// integral exponent, whose parity gives the sign: also for -0 and -inf, which take any exponent.
// "powr(±0, ±0), powr(+inf, ±0), powr(+1, ±inf) return NaN": just what exp(y log x) gives.
#define US_POW(T)                                                                                                      \
  T US_HOT pow(T x, T y) {                                                                                             \
    T a = absOf(x), half_ = y * (T)0.5;                                                                                \
    T result = powMagnitude(a, y);                                                                                     \
    bool integral = __builtin_elementwise_trunc(y) == y;                                                               \
    bool odd = integral && __builtin_elementwise_trunc(half_) != half_;                                                \
    result = odd ? withSign(result, x) : result;                                                                       \
    result = x < (T)0 && !integral && a < (T)INFINITY ? (T)NAN : result;                                               \
    result = isNan(x) || isNan(y) ? x + y : result;                                                                    \
    return y == (T)0 || x == (T)1 ? (T)1 : result;                                                                     \
  }                                                                                                                    \
  T US_HOT powr(T x, T y) {                                                                                            \
    T result = powMagnitude(absOf(x), y);                                                                              \
    T edge = isInf(y) && x == (T)1 ? (T)NAN : result;                                                                  \
    edge = y == (T)0 && (x == (T)0 || isInf(x)) ? (T)NAN : edge;                                                       \
    edge = x < (T)0 ? (T)NAN : edge;                                                                                   \
    return isNan(x) || isNan(y) ? x + y : edge;                                                                        \
  }                                                                                                                    \
  T US_HOT pown(T x, int n) {                                                                                          \
    T result = powMagnitude(absOf(x), (double)n);                                                                      \
    result = (n & 1) != 0 ? withSign(result, x) : result;                                                              \
    result = isNan(x) ? x : result;                                                                                    \
    return n == 0 ? (T)1 : result;                                                                                     \
  }                                                                                                                    \
  T US_HOT rootn(T x, int n) {                                                                                         \
    T result = rootMagnitude(absOf(x), n);                                                                             \
    bool odd = (n & 1) != 0;                                                                                           \
    result = odd ? withSign(result, x) : result;                                                                       \
    result = x < (T)0 && !odd ? (T)NAN : result;                                                                       \
    result = isNan(x) ? x : result;                                                                                    \
    return n == 0 ? (T)NAN : result;                                                                                   \
  }
US_POW(float)
US_POW(double)
US_ALL2(pow)
US_ALL2(powr)

#define US_INTEGER_EXPONENT(NAME)                                                                                      \
  US_COMPONENTS2(NAME, float, float, int)                                                                              \
  US_COMPONENTS2(NAME, double, double, int)                                                                            \
  half US_HOT NAME(half x, int n) { return (half)NAME((float)x, n); }                                                  \
  US_COMPONENTS2(NAME, half, half, int)
US_INTEGER_EXPONENT(pown)
US_INTEGER_EXPONENT(rootn)
