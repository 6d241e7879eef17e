// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/list_text.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace us {
namespace {

std::vector<std::string> itemsOf(std::string_view list, std::string_view separators) {
  std::vector<std::string> items;
  while (!list.empty()) items.emplace_back(takeItem(list, separators));
  return items;
}

TEST(ListText, ItemsComeInTheirOrder) {
  using Items = std::vector<std::string>;
  EXPECT_EQ(itemsOf("", ","), Items());
  EXPECT_EQ(itemsOf("one", ","), Items{"one"});
  EXPECT_EQ(itemsOf("one,two;three", ","), (Items{"one", "two;three"}));
  EXPECT_EQ(itemsOf("one,two;three", ",;"), (Items{"one", "two", "three"}));
  EXPECT_EQ(itemsOf(",one,,two,", ","), (Items{"", "one", "", "two"}));
}

TEST(ListText, NothingIsLeftOfAnEmptyList) {
  std::string_view list;
  EXPECT_EQ(takeItem(list, ","), "");
  EXPECT_TRUE(list.empty());
}

} // namespace
} // namespace us
