// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow, pown, powr, rootn. Owed: 16 ulp (f32, f64), 4 (half). |x|^y = e^(y log |x|): f32 with a logarithm in f64, f64
// with one in double-double (relative error about 2^-62). Signs and special cases are selects after that.
#include "emulator/builtins/opencl/math/pow_core.h"

// ---- f32: a^(y + yLow) for a >= 0 ----------------------------------------------------------------------------------
typedef struct {
  float hi, lo;
} TwofoldF;

// log2(a) as two floats with a relative error of 2^-29: k + 2 / ln 2 * atanh(s), s = f / (2 + f), the first term
// twofold. a positive and finite (another a gives some number).
US_INLINE TwofoldF log2Twofold(SplitF split) {
  float f = split.f, k = split.k;
  float d = 2.0f + f, dLow = f - (d - 2.0f);
  float inverse = 1.0f / d;
  float s = f * inverse;
  float sLow = inverse * fusedf(-s, dLow, fusedf(-s, d, f));
  float z = s * s;
  float p = fusedf(0x1.58b342p-2f, z, 0x1.a5cebep-2f);
  p = fusedf(p, z, 0x1.2776e2p-1f);
  p = fusedf(p, z, 0x1.ec709ep-1f);
  float h = s * 0x1.715476p+1f;
  float hLow = fusedf(s, 0x1.715476p+1f, -h) + fusedf(s, 0x1.4ae0cp-25f, sLow * 0x1.715476p+1f);
  hLow = fusedf(s * z, p, hLow);
  float sum = k + h;
  float l = sum + (((k - sum) + h) + hLow);
  TwofoldF result = {l, (sum - l) + ((k - sum) + h) + hLow};
  return result;
}

US_INLINE float powMagnitude(float a, float y, float yLow) {
  TwofoldF twofold = log2Twofold(splitLog(a));
  // The logarithm of zero is -inf, of infinity inf; y times that is then right for every y but 0 (NaN).
  bool plain = a > 0.0f && a < INFINITY;
  float extreme = a == 0.0f ? -INFINITY : a;
  float l = plain ? twofold.hi : extreme;

  float e = y * l;
  float eLow = fusedf(y, l, -e) + fusedf(y, twofold.lo, yLow * l);
  eLow = plain && absOf(e) < 300.0f ? eLow : 0.0f;
  e = within(e, -200.0f, 200.0f);
  RoundedF n = roundProduct(e, 1.0f);
  return scaleBy(exp2Kernel((e - n.n) + eLow), n.k);
}
US_INLINE float powMagnitude(float a, float y) { return powMagnitude(a, y, 0.0f); }
// An int has more bits than a float: its high and low parts are exact, and so is what the rounded sum lacks.
US_INLINE float powMagnitude(float a, int n) {
  float high = (float)(n & ~255), low = (float)(n & 255);
  float y = high + low;
  return powMagnitude(a, y, (high - y) + low);
}
US_INLINE float rootMagnitude(float a, int n) {
  float d = (float)n, y = 1.0f / d;
  return powMagnitude(a, y, n == 0 ? 0.0f : y * fusedf(-y, d, 1.0f));
}

// ---- f64: a^(y + yLow) for a >= 0 ----------------------------------------------------------------------------------
US_INLINE double powMagnitude(double a, double y, double yLow) {
  TwofoldD l = logTwofold(a);
  bool plain = a > 0.0 && a < (double)INFINITY;
  double extreme = a == 0.0 ? -(double)INFINITY : a;
  l.hi = plain ? l.hi : extreme;
  double e = y * l.hi;
  double eLow = fused(y, l.hi, -e) + fused(y, l.lo, yLow * l.hi);
  return expTwofold(e, plain && absOf(e) < 800.0 ? eLow : 0.0, 1.0);
}
US_INLINE double powMagnitude(double a, double y) { return powMagnitude(a, y, 0.0); }
US_INLINE double powMagnitude(double a, int n) { return powMagnitude(a, (double)n, 0.0); }
US_INLINE double rootMagnitude(double a, int n) {
  double d = n, y = 1.0 / d;
  double yLow = fused(-y, d, 1.0) / d;
  return powMagnitude(a, y, n == 0 ? 0.0 : yLow);
}

// "pow(x, ±0) returns 1 for any x, even a NaN", "pow(+1, y) returns 1 for any y, even a NaN", "pow(-1, ±inf) returns
// 1"; a negative base needs an
// integral exponent, whose parity gives the sign: also for -0 and -inf, which take any exponent.
// "powr(±0, ±0), powr(+inf, ±0), powr(+1, ±inf) return NaN": just what exp(y log x) gives.
#define US_POW(T)                                                                                                      \
  US_INLINE T powOf(T x, T y, T result) {                                                                              \
    T a = absOf(x), half_ = y * (T)0.5;                                                                                \
    bool integral = __builtin_elementwise_trunc(y) == y;                                                               \
    bool odd = integral && __builtin_elementwise_trunc(half_) != half_;                                                \
    result = odd ? withSign(result, x) : result;                                                                       \
    result = x < (T)0 && !integral && a < (T)INFINITY ? (T)NAN : result;                                               \
    result = isNan(x) || isNan(y) ? x + y : result;                                                                    \
    return y == (T)0 || x == (T)1 || (x == (T) - 1 && isInf(y)) ? (T)1 : result;                                       \
  }                                                                                                                    \
  T US_HOT powr(T x, T y) {                                                                                            \
    T result = powMagnitude(absOf(x), y);                                                                              \
    T edge = isInf(y) && x == (T)1 ? (T)NAN : result;                                                                  \
    edge = y == (T)0 && (x == (T)0 || isInf(x)) ? (T)NAN : edge;                                                       \
    edge = x < (T)0 ? (T)NAN : edge;                                                                                   \
    return isNan(x) || isNan(y) ? x + y : edge;                                                                        \
  }                                                                                                                    \
  T US_HOT pown(T x, int n) {                                                                                          \
    T result = powMagnitude(absOf(x), n);                                                                              \
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

// a^y = p * 2^n, e = y log a: a split into its parts, and in range.
typedef struct {
  float e, p;
  RoundedF n;
} PowerF;
typedef struct {
  double e, p;
  RoundedD n;
} PowerD;
US_INLINE PowerF powerOf(SplitF a, float y) {
  TwofoldF l = log2Twofold(a);
  PowerF result;
  result.e = y * l.hi;
  float eLow = fusedf(y, l.hi, -result.e) + y * l.lo;
  result.n = roundProduct(result.e, 1.0f);
  result.p = exp2Kernel((result.e - result.n.n) + eLow);
  return result;
}
US_INLINE PowerD powerOf(SplitD a, double y) {
  TwofoldD l = logTwofold(a);
  PowerD result;
  result.e = y * l.hi;
  double eLow = fused(y, l.hi, -result.e) + y * l.lo;
  result.n = roundProduct(result.e, 0x1.71547652b82fep+0);
  double r = lessLn2(result.e, result.n.n) + eLow;
  result.p = fused(r * r, expTail(r), r) + 1.0;
  return result;
}

// What is not a power of a positive normal number with a normal result is an `if`. Of zero and infinity the logarithm
// is infinite; y times that is right for every y but 0 (NaN).
float US_HOT pow(float x, float y) {
  float a = absOf(x);
  PowerF power = powerOf(splitLogNormal(a), y);
  float result = as_float(as_uint(power.p) + (power.n.bits << 23));
  if (US_RARELY(as_uint(x) - 0x800000u >= 0x7f000000u || !(absOf(power.e) < 125.0f))) {
    if (a < 0x1p-126f && a != 0.0f) power = powerOf(splitLogDenormal(a), y);
    float e = a == 0.0f ? y * -INFINITY : power.e;
    e = a == INFINITY ? y * a : e;
    result = powOf(x, y, scaleResult(power.p, power.n, e, 125.0f, -200.0f, 200.0f));
  }
  return result;
}
double US_HOT pow(double x, double y) {
  double a = absOf(x);
  PowerD power = powerOf(splitLogNormal(a), y);
  double result = as_double(as_ulong(power.p) + (power.n.bits << 52));
  if (US_RARELY(as_ulong(x) - 0x10000000000000ul >= 0x7fe0000000000000ul || !(absOf(power.e) < 708.0))) {
    if (a < 0x1p-1022 && a != 0.0) power = powerOf(splitLogDenormal(a), y);
    double e = a == 0.0 ? y * -(double)INFINITY : power.e;
    e = a == (double)INFINITY ? y * a : e;
    result = powOf(x, y, scaleResult(power.p, power.n, e, 708.0, -800.0, 800.0));
  }
  return result;
}
US_ALL2(pow)
US_ALL2(powr)

#define US_INTEGER_EXPONENT(NAME)                                                                                      \
  US_COMPONENTS2(NAME, float, float, int)                                                                              \
  US_COMPONENTS2(NAME, double, double, int)                                                                            \
  half US_HOT NAME(half x, int n) { return (half)NAME((float)x, n); }                                                  \
  US_COMPONENTS2(NAME, half, half, int)
US_INTEGER_EXPONENT(pown)
US_INTEGER_EXPONENT(rootn)
