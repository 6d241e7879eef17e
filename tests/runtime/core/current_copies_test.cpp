// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/current_copies.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>

namespace us::core {
namespace {

TEST(CurrentCopies, IsAnArrayOfSets) {
  constexpr uint64_t kSize = 64;
  std::array<CopySet, kSize> expected{};
  CurrentCopies copies;
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    uint64_t begin = random() % (kSize + 1), end = random() % (kSize + 1);
    if (begin > end) std::swap(begin, end);
    if (random() % 2) {
      const CopySet set = random() % 4;
      copies.set(begin, end, set);
      std::fill(expected.begin() + begin, expected.begin() + end, set);
      size_t changes = 1;
      for (uint64_t at = 1; at < kSize; ++at) changes += expected[at] != expected[at - 1];
      ASSERT_LE(copies.parts(), changes + 1) << "parts that say the same are one";
    }
    uint64_t at = begin;
    copies.visit(begin, end, [&](uint64_t from, uint64_t until, CopySet set) {
      ASSERT_EQ(from, at);
      ASSERT_LT(from, until);
      for (; at < until; ++at) ASSERT_EQ(set, expected[at]) << at;
    });
    ASSERT_EQ(at, end);
  }
}

} // namespace
} // namespace us::core
