// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands for _Float16 and __bf16 where the compiler of host code lacks them, or vectors of them: GCC. Arithmetic
// is that of float, whose results are rounded once more; float has more than twice their bits, so that this is as
// rounding once.
#pragma once

#include "crt/host_defines.h"

#include <math.h>

template <int kExponentBits> struct us_small_value {
  unsigned short bits;

  us_small_value() = default;
  template <class T> explicit us_small_value(T value) : bits(rounded((double)value)) {}
  operator float() const {
    const unsigned sign = (unsigned)(bits & 0x8000) << 16, size = bits & 0x7fff;
    if (size >= kInfinity)
      return __builtin_bit_cast(float, sign | 0x7f800000u | (size - kInfinity) << (23 - kMantissa));
    if (size >> kMantissa)
      return __builtin_bit_cast(float, sign | ((size << (23 - kMantissa)) + ((unsigned)(127 - kBias) << 23)));
    const float value = ldexpf((float)size, 1 - kBias - kMantissa);
    return sign ? -value : value;
  }

private:
  static constexpr int kMantissa = 15 - kExponentBits, kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr unsigned kInfinity = ((1u << kExponentBits) - 1) << kMantissa;

  /// To nearest, ties to even.
  static unsigned short rounded(double value) {
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, value), fraction = bits << 12 >> 12;
    const unsigned sign = (unsigned)(bits >> 48) & 0x8000;
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023, above = exponent - (1 - kBias);
    if (exponent == 1024) return (unsigned short)(fraction ? 0x7fff : sign | kInfinity);
    if (above < -kMantissa - 1) return (unsigned short)sign; // less than half of the smallest
    const int dropped = 52 - kMantissa - (above < 0 ? above : 0);
    const unsigned long long all = fraction | 1ull << 52, half = 1ull << (dropped - 1), rest = all & (2 * half - 1);
    unsigned long long units = all >> dropped;
    units += rest > half || (rest == half && (units & 1));
    // A normal number's leading bit counts as one exponent; a carry runs into the exponent by itself.
    units += above > 0 ? (unsigned long long)above << kMantissa : 0;
    return (unsigned short)(sign | (units < kInfinity ? (unsigned)units : kInfinity));
  }
};

/// x * y + z, rounded once. A product of two is exact in double; where the sum is not, it is made odd, since rounding
/// twice then is as rounding once.
template <int kBits>
us_small_value<kBits> us_fma(us_small_value<kBits> x, us_small_value<kBits> y, us_small_value<kBits> z) {
  const double product = (double)(float)x * (float)y, addend = (float)z, sum = product + addend;
  const double part = sum - product, error = (product - (sum - part)) + (addend - part);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if (error != 0 && error == error && !(bits & 1)) bits += (error < 0) == (sum < 0) ? 1 : -1;
  return us_small_value<kBits>(__builtin_bit_cast(double, bits));
}

template <int kBits> struct us_small_pair {
  us_small_value<kBits> x, y;
  const us_small_value<kBits> &operator[](int i) const { return i ? y : x; }
  us_small_pair operator-() const { return {us_small_value<kBits>(-(float)x), us_small_value<kBits>(-(float)y)}; }
};
#define US_OF_PAIRS(OPERATOR)                                                                                          \
  template <int kBits> us_small_pair<kBits> operator OPERATOR(us_small_pair<kBits> a, us_small_pair<kBits> b) {        \
    return {us_small_value<kBits>((float)a.x OPERATOR(float) b.x),                                                     \
            us_small_value<kBits>((float)a.y OPERATOR(float) b.y)};                                                    \
  }
US_OF_PAIRS(+)
US_OF_PAIRS(-)
US_OF_PAIRS(*)
US_OF_PAIRS(/)
#undef US_OF_PAIRS
template <int kBits>
us_small_pair<kBits> us_fma(us_small_pair<kBits> x, us_small_pair<kBits> y, us_small_pair<kBits> z) {
  return {us_fma(x.x, y.x, z.x), us_fma(x.y, y.y, z.y)};
}
