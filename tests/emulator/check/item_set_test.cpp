// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/item_set.h"

#include <gtest/gtest.h>

namespace us::check {
namespace {

constexpr LaunchShape kLine{.dimensions = 1, .localSize = {16, 1, 1}, .numGroups = {64, 1, 1}};

TEST(ItemSet, SaysOneOfOne) {
  ItemSet items;
  items.add(3, 15);
  EXPECT_EQ(items.text(kLine), "work-item 15 of work-group 3");
  EXPECT_EQ(items.size(), 1u);
  EXPECT_EQ(items.firstGroup(), 3u);
}

TEST(ItemSet, JoinsNeighborsInWhateverOrderTheyCome) {
  ItemSet items;
  for (uint64_t item : {5, 3, 4, 9, 4}) items.add(0, item);
  EXPECT_EQ(items.text(kLine), "work-items 3-5, 9 of work-group 0");
  EXPECT_EQ(items.size(), 4u) << "one came twice";
  EXPECT_EQ(items.itemsOfFirstGroup(), (std::vector<uint64_t>{3, 4, 5, 9}));
}

TEST(ItemSet, JoinsGroupsWithTheSameItems) {
  ItemSet items;
  for (uint64_t group = 0; group < 8; ++group)
    for (uint64_t item = 12; item < 16; ++item) items.add(group, item);
  items.add(9, 0);
  EXPECT_EQ(items.text(kLine), "work-items 12-15 of work-groups 0-7; work-item 0 of work-group 9");
}

TEST(ItemSet, HasAsManyNumbersAsTheLaunchHasDimensions) {
  ItemSet items;
  items.add(5, 6);
  items.add(5, 7);
  const LaunchShape plane{.dimensions = 2, .localSize = {4, 2, 1}, .numGroups = {3, 2, 1}};
  EXPECT_EQ(items.text(plane), "work-items (2,1) to (3,1) of work-group (2,1)");
}

TEST(ItemSet, SaysThatThereAreMore) {
  ItemSet items;
  for (uint64_t group = 0; group < 12; group += 2) items.add(group, group);
  EXPECT_EQ(items.text(kLine), "work-item 0 of work-group 0; work-item 2 of work-group 2; work-item 4 of work-group 4; "
                               "work-item 6 of work-group 6; and others");
  for (uint64_t group = 0; group < 10000; ++group) items.add(group, 1);
  EXPECT_EQ(items.size(), 10006u) << "those of groups that are not kept count, too";
}

} // namespace
} // namespace us::check
