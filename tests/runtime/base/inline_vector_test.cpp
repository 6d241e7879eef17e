// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/inline_vector.h"

#include <gtest/gtest.h>
#include <memory>
#include <numeric>

namespace us {
namespace {

using Shared = InlineVector<std::shared_ptr<int>, 3>;

TEST(InlineVector, GrowsPastWhatItHoldsItself) {
  InlineVector<int, 3> numbers;
  for (int i = 0; i < 8; ++i) {
    numbers.push_back(i);
    ASSERT_EQ(numbers.size(), size_t(i + 1));
    for (int k = 0; k <= i; ++k) EXPECT_EQ(numbers[k], k);
  }
}

TEST(InlineVector, ResizesBothWaysAcrossTheLimit) {
  InlineVector<int, 3> numbers;
  size_t before = 0;
  for (size_t size : {2, 5, 7, 2, 3, 0, 4, 1, 3}) {
    numbers.resize(size);
    ASSERT_EQ(numbers.size(), size);
    for (size_t i = 0; i < size; ++i) EXPECT_EQ(numbers[i], i < before ? int(i) + 1 : 0) << before << " to " << size;
    std::iota(numbers.begin(), numbers.end(), 1);
    before = size;
  }
}

TEST(InlineVector, CopiesAreApartAndMovesLeaveNothing) {
  for (int count : {0, 2, 3, 4, 9}) {
    Shared from;
    for (int i = 0; i < count; ++i) from.push_back(std::make_shared<int>(i));
    Shared copy = from, target;
    target.push_back(std::make_shared<int>(-1));
    const std::weak_ptr<int> replaced = target[0];
    target = std::move(from);
    EXPECT_TRUE(replaced.expired());
    EXPECT_TRUE(from.empty()); // NOLINT(bugprone-use-after-move): that is what is tested
    ASSERT_EQ(target.size(), size_t(count));
    ASSERT_EQ(copy.size(), size_t(count));
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(*target[i], i);
      EXPECT_EQ(target[i].use_count(), 2); // the copy's and the target's, none left in `from`
    }
    const Shared moved = std::move(target);
    EXPECT_EQ(moved.size(), size_t(count));
  }
}

TEST(InlineVector, ClearingLetsGo) {
  for (int count : {1, 3, 5}) {
    auto held = std::make_shared<int>(1);
    Shared all;
    for (int i = 0; i < count; ++i) all.push_back(held);
    EXPECT_EQ(held.use_count(), count + 1);
    all.resize(1);
    EXPECT_EQ(held.use_count(), 2);
    all.clear();
    EXPECT_EQ(held.use_count(), 1);
  }
}

} // namespace
} // namespace us
