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
// bit of x or of the divisor, whichever is less, and below the divisor: exact. The quotient may be rounded up to one
// too many.
typedef struct {
  double rest, digit;
} DigitF;
US_INLINE DigitF divideDigit(double rest, double divisor) {
  double digit = __builtin_elementwise_trunc(rest / divisor);
  double left = fused(-digit, divisor, rest);
  bool more = left < 0.0;
  DigitF result = {more ? left + divisor : left, more ? digit - 1.0 : digit};
  return result;
}

// |x| = n |y| + rest, 0 <= rest < |y|; quotient holds at least the low 7 bits of n. x and y finite, y not zero.
// Most quotients are one digit; the others take all that two floats can need (277 bits), as many for every x: so the
// loop unrolls and a loop over work-items can be vectorised. The last digit is narrow, so that it fits an integer.
US_INLINE DivisionF divideExactly(float x, float y) {
  double rest = absOf(x), divisor = absOf(y);
  if (rest >= divisor * 0x1p28) {
    for (int k = 228; k > 0; k -= 50) rest = divideDigit(rest, divisor * as_double((ulong)(k + 1023) << 52)).rest;
  }
  DigitF last = divideDigit(rest, divisor);
  DivisionF result = {(float)last.rest, (uint)last.digit};
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
