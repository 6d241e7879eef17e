// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/fused_multiply_add.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace us::codegen {
namespace {

void expectAsLibrary(double x, double y, double z) {
  const double made = fusedMultiplyAdd(x, y, z), expected = std::fma(x, y, z);
  if (std::isnan(made) && std::isnan(expected)) return;
  EXPECT_EQ(std::bit_cast<uint64_t>(made), std::bit_cast<uint64_t>(expected)) << x << " * " << y << " + " << z;
}

TEST(FusedMultiplyAdd, OfEdges) {
  using Limits = std::numeric_limits<double>;
  const double edges[] = {0,
                          1,
                          1 + Limits::epsilon(),
                          3,
                          0x1p-1074,
                          Limits::min(),
                          Limits::max(),
                          Limits::infinity(),
                          Limits::quiet_NaN(),
                          0x1p450,
                          0x1p-450,
                          0x1p1000,
                          0x1p-1000,
                          0x1p-53,
                          0x1.fffffffffffffp52};
  for (double x : edges)
    for (double y : edges)
      for (double z : edges)
        for (unsigned signs = 0; signs < 8; ++signs)
          expectAsLibrary(signs & 1 ? -x : x, signs & 2 ? -y : y, signs & 4 ? -z : z);
}

// Sums that nearly cancel, and such that lie half way, come of operands with few bits and of near exponents.
TEST(FusedMultiplyAdd, OfRandomNumbers) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 400'000; ++round) {
    const auto number = [&](int exponent) {
      const uint64_t few = random() & (~uint64_t(0) << (random() % 52)) & 0x800f'ffff'ffff'ffff;
      return std::bit_cast<double>(few | uint64_t(1023 + exponent) << 52);
    };
    const double x = number(int(random() % 256) - 128), y = number(int(random() % 256) - 128);
    expectAsLibrary(x, y, number(std::ilogb(x) + std::ilogb(y) + int(random() % 256) - 128));
    expectAsLibrary(x, y, std::nextafter(-x * y, random() % 2 ? 0 : x));
    expectAsLibrary(std::bit_cast<double>(random()), std::bit_cast<double>(random()), std::bit_cast<double>(random()));
  }
}

} // namespace
} // namespace us::codegen
