// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmod, remainder, remquo: exact. Long division in large digits: with the divisor scaled by 2^k so that the quotient
// fits the format, one quotient digit is a division and the rest is an exact fma.
#include "emulator/builtins/opencl/math/widths.h"

typedef struct {
  float rest;
  uint quotient;
} DivisionF;
typedef struct {
  double rest;
  uint quotient;
} DivisionD;

// One digit of f32's division, in f64 arithmetic. It has at most 50 bits, and what it leaves is a multiple of the last
// bit of x or of the divisor, whichever is less, and not above the divisor: exact. What it leaves may be negative, as
// the next digit then is.
US_INLINE double divideDigit(double rest, double divisor) {
  return fused(-__builtin_elementwise_trunc(rest / divisor), divisor, rest);
}

// |x| = n |y| + rest, 0 <= rest < |y|; quotient holds at least the low 7 bits of n. x and y finite, y not zero.
// Most quotients are one digit; the others take all that two floats can need (277 bits), as many for every x: a loop
// over work-items can be vectorised, and no compile of a kernel must unroll. The last digit is narrow, so that it fits
// an integer; only there a negative rest costs an addition.
US_INLINE DivisionF divideExactly(float x, float y) {
  double rest = absOf(x), divisor = absOf(y);
  if (rest >= divisor * 0x1p28) {
    rest = divideDigit(rest, divisor * 0x1p228);
    rest = divideDigit(rest, divisor * 0x1p178);
    rest = divideDigit(rest, divisor * 0x1p128);
    rest = divideDigit(rest, divisor * 0x1p78);
    rest = divideDigit(rest, divisor * 0x1p28);
  }
  double digit = __builtin_elementwise_trunc(rest / divisor);
  rest = fused(-digit, divisor, rest);
  bool more = rest < 0.0;
  DivisionF result = {(float)(more ? rest + divisor : rest), (uint)(int)digit - (more ? 1u : 0u)};
  return result;
}

// f64: digits of 50 bits. Each brings the rest 49 binary places down, of up to 1023 + 1074: at most 43 of them.
US_INLINE DivisionD divideExactly(double x, double y) {
  double rest = absOf(x), divisor = absOf(y);
  ulong quotient = 0;
  int bottom = ilogb(divisor);
  for (int left = 43; left > 0 && rest >= divisor; --left) {
    int k = atLeast(ilogb(rest) - bottom - 49, 0);
    double scaled = ldexp(divisor, k);
    double digit = __builtin_elementwise_trunc(rest / scaled);
    rest = fused(-digit, scaled, rest);
    digit = rest < 0.0 ? digit - 1.0 : digit;
    rest = rest < 0.0 ? rest + scaled : rest;
    quotient += k < 32 ? (ulong)digit << k : 0ul;
  }
  DivisionD result = {rest, (uint)quotient};
  return result;
}

// Looks at y alone: a constant divisor stays a constant.
US_INLINE float usableDivisor(float y) { return isFinite(y) && y != 0.0f ? y : 1.0f; }
US_INLINE double usableDivisor(double y) { return isFinite(y) && y != 0.0 ? y : 1.0; }

#define US_REMAINDERS(T, DIVISION)                                                                                     \
  T US_OVERLOAD fmod(T x, T y) {                                                                                       \
    bool invalid = !isFinite(x) || y == (T)0 || isNan(y);                                                              \
    bool whole = isInf(y);                                                                                             \
    DIVISION d = divideExactly(invalid ? (T)0 : x, usableDivisor(y));                                                  \
    T result = withSign(whole ? absOf(x) : d.rest, x);                                                                 \
    return invalid ? (isNan(x) || isNan(y) ? x + y : (T)NAN) : result;                                                 \
  }                                                                                                                    \
  T US_OVERLOAD remquo(T x, T y, __private int *quotient) {                                                            \
    bool invalid = !isFinite(x) || y == (T)0 || isNan(y);                                                              \
    bool whole = isInf(y);                                                                                             \
    T divisor = absOf(usableDivisor(y));                                                                               \
    DIVISION d = divideExactly(invalid ? (T)0 : x, divisor);                                                           \
    T rest = d.rest, other = divisor - rest;                                                                           \
    bool up = rest > other || (rest == other && (d.quotient & 1) != 0);                                                \
    rest = up ? rest - divisor : rest;                                                                                 \
    int n = (int)((d.quotient + (up ? 1u : 0u)) & 0x7f);                                                               \
    *quotient = invalid || whole ? 0 : (isNegative(x) != isNegative(y) ? -n : n);                                      \
    T result = isNegative(x) ? -rest : rest;                                                                           \
    result = whole ? x : result;                                                                                       \
    return invalid ? (isNan(x) || isNan(y) ? x + y : (T)NAN) : result;                                                 \
  }                                                                                                                    \
  T US_OVERLOAD remainder(T x, T y) {                                                                                  \
    int ignored;                                                                                                       \
    return remquo(x, y, &ignored);                                                                                     \
  }

US_REMAINDERS(float, DivisionF)
US_REMAINDERS(double, DivisionD)
US_ALL2(fmod)
US_ALL2(remainder)

half US_OVERLOAD remquo(half x, half y, __private int *quotient) { return (half)remquo((float)x, (float)y, quotient); }
US_POINTER2(remquo, float, float, int)
US_POINTER2(remquo, double, double, int)
US_POINTER2(remquo, half, half, int)
