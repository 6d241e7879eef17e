// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/async_copies.h"

#include <gtest/gtest.h>

namespace us::check {
namespace {

using Mistake = AsyncCopies::Mistake;

constexpr const char *kFirst = "first", *kSecond = "second", *kFence = "fence", *kWait = "wait";

/// Groups of two work-items.
struct Launch {
  AsyncCopies copies;
  uint64_t copy(uint64_t item, const char *site, uint64_t event = 0, uint64_t count = 4) {
    return copies
        .copied(0, item, 2,
                {.to = {0x100}, .from = {0x200}, .bytes = 4, .elements = count, .event = event, .site = site})
        .event;
  }
  std::vector<uint32_t> wait(uint64_t item, std::vector<uint64_t> events) {
    return copies.awaited(0, item, 2, events, kWait);
  }
  /// Of one place; "" of none.
  std::string who(const char *site, Mistake mistake) {
    const auto &all = copies.mistakes(true);
    const auto found = all.find({site, mistake});
    return found == all.end() ? "" : found->second.text({.localSize = {2, 1, 1}});
  }
};

TEST(AsyncCopies, ACopyIsCompleteWhenAllHaveWaited) {
  Launch launch;
  const uint64_t event = launch.copy(0, kFirst);
  EXPECT_NE(event, 0u);
  EXPECT_TRUE(launch.wait(0, {event}).empty());
  EXPECT_EQ(launch.copy(1, kFirst), event) << "one copy of both";
  EXPECT_EQ(launch.wait(1, {event}), std::vector<uint32_t>{0});
  const uint64_t next = launch.copy(0, kFirst);
  EXPECT_NE(next, event) << "the next round of a loop";
  EXPECT_TRUE(launch.copies.mistakes(false).empty()) << "a launch that was ended is not over";
}

TEST(AsyncCopies, AnEventThatIsGivenIsReturned) {
  Launch launch;
  for (uint64_t item : {0, 1}) {
    const uint64_t event = launch.copy(item, kFirst);
    EXPECT_EQ(launch.copy(item, kSecond, event), event);
    EXPECT_EQ(launch.wait(item, {event}).size(), item * 2);
  }
  EXPECT_TRUE(launch.copies.mistakes(true).empty());
}

TEST(AsyncCopies, NobodyWaits) {
  Launch launch;
  launch.copy(0, kFirst);
  launch.copy(1, kFirst);
  EXPECT_EQ(launch.who(kFirst, Mistake::NotWaitedFor), "work-items 0-1 of work-group 0");
}

TEST(AsyncCopies, NotAllCome) {
  Launch launch;
  const uint64_t event = launch.copy(0, kFirst);
  launch.wait(0, {event});
  launch.wait(1, {event});
  EXPECT_EQ(launch.who(kFirst, Mistake::NotReachedByAll), "work-item 1 of work-group 0");
  EXPECT_EQ(launch.who(kFirst, Mistake::NotWaitedFor), "");
}

TEST(AsyncCopies, ArgumentsAndEventsDiffer) {
  Launch launch;
  const uint64_t first = launch.copy(0, kFirst), second = launch.copy(0, kSecond);
  launch.copy(1, kFirst, 0, 3);
  launch.copy(1, kSecond);
  launch.wait(0, {first, second});
  launch.wait(1, {first});
  launch.wait(0, {0});
  EXPECT_EQ(launch.who(kFirst, Mistake::DifferentArguments), "work-item 1 of work-group 0");
  EXPECT_EQ(launch.who(kSecond, Mistake::DifferentArguments), "");
  EXPECT_EQ(launch.who(kWait, Mistake::DifferentEvents), "work-item 1 of work-group 0");
  EXPECT_EQ(launch.who(kWait, Mistake::NoEvent), "work-item 0 of work-group 0");
}

TEST(AsyncCopies, AFenceIsOneCallOfAll) {
  Launch launch;
  EXPECT_TRUE(launch.copies.fenced(0, 0, 2, 1, kFence));
  EXPECT_FALSE(launch.copies.fenced(0, 1, 2, 1, kFence)) << "the same fence";
  EXPECT_TRUE(launch.copies.fenced(0, 1, 2, 1, kFence)) << "the next round of a loop";
  EXPECT_FALSE(launch.copies.fenced(0, 0, 2, 3, kFence));
  EXPECT_EQ(launch.who(kFence, Mistake::DifferentFences), "work-item 0 of work-group 0");
  EXPECT_EQ(launch.who(kFence, Mistake::FenceNotReachedByAll), "");
  EXPECT_TRUE(launch.copies.fenced(0, 0, 2, 1, kSecond));
  EXPECT_EQ(launch.who(kSecond, Mistake::FenceNotReachedByAll), "work-item 1 of work-group 0");
}

} // namespace
} // namespace us::check
