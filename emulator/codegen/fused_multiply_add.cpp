// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/fused_multiply_add.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace us::codegen {
namespace {

#pragma STDC FP_CONTRACT OFF

struct Pair {
  double high, low; ///< as a sum exact; `high` is nearest to it
};

/// Knuth's.
Pair exactSum(double a, double b) {
  const double sum = a + b, added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}

/// Dekker's, of halves of 26 bits.
Pair exactProduct(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1;
  const double product = a * b, aTimes = kSplit * a, bTimes = kSplit * b;
  const double aHigh = aTimes - (aTimes - a), bHigh = bTimes - (bTimes - b), aLow = a - aHigh, bLow = b - bHigh;
  return {product, ((aHigh * bHigh - product) + aHigh * bLow + aLow * bHigh) + aLow * bLow};
}

/// The sum, or where it is not exact the neighbor whose last bit is set: rounded once more, it is as the exact sum.
double sumToOdd(double a, double b) {
  const Pair sum = exactSum(a, b);
  auto bits = std::bit_cast<int64_t>(sum.high);
  if (sum.low != 0 && (bits & 1) == 0) bits += ((bits ^ std::bit_cast<int64_t>(sum.low)) >> 63) | 1;
  return std::bit_cast<double>(bits);
}

/// 2^-limit <= |x| < 2^limit
bool isWithin(double x, unsigned limit) {
  const unsigned exponent = unsigned(std::bit_cast<uint64_t>(x) >> 52) & 0x7ff;
  return exponent - (1023 - limit) < 2 * limit;
}

} // namespace

// Boldo and Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd.
double fusedMultiplyAdd(double x, double y, double z) {
  if (!isWithin(x, 450) || !isWithin(y, 450) || !(isWithin(z, 1000) || z == 0)) {
    const bool isExact = x == 0 || y == 0 || !std::isfinite(x) || !std::isfinite(y);
    return isExact ? x * y + z : std::fma(x, y, z); // some part might be too large or too small
  }
  const Pair product = exactProduct(x, y), low = exactSum(z, product.low), high = exactSum(product.high, low.high);
  return high.high + sumToOdd(low.low, high.low);
}

} // namespace us::codegen
