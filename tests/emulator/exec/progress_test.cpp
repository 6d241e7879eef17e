// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/progress.h"

#include <gtest/gtest.h>

namespace us::exec {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

TEST(ProgressTest, LeftIsWhatTheRestTakesAtThePaceOfWhatIsDone) {
  EXPECT_EQ(Progress::text("k", 50, 200, 4 * kSecond), "understudy: 'k': 50 of 200 work-groups, about 12 s left");
  EXPECT_EQ(Progress::text("k", 1, 11, 60 * kSecond), "understudy: 'k': 1 of 11 work-groups, about 10 min left");
  EXPECT_EQ(Progress::text("k", 1, 11, 3600 * kSecond), "understudy: 'k': 1 of 11 work-groups, about 10 h left");
  EXPECT_EQ(Progress::text("k", 1, 3'600'001, kSecond), "understudy: 'k': 1 of 3600001 work-groups, about 1000 h left");
}

TEST(ProgressTest, NothingIsGuessedFromNothing) {
  EXPECT_EQ(Progress::text("k", 0, 200, kSecond), "understudy: 'k': 0 of 200 work-groups");
}

TEST(ProgressTest, LongNamesAreCut) {
  EXPECT_EQ(Progress::text(std::string(100, 'k'), 0, 2, 0),
            "understudy: '" + std::string(40, 'k') + "': 0 of 2 work-groups");
}

} // namespace
} // namespace us::exec
