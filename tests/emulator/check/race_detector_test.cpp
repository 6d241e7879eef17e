// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/race_detector.h"

#include <gtest/gtest.h>

namespace us::check {
namespace {

using abi::AccessKind;

/// Work-items of one launch that touch the same four bytes of local memory, unless said otherwise.
struct Launch {
  RaceDetector detector;
  Race race;

  bool touch(uint64_t group, uint32_t item, AccessKind kind, bool isLocal = true, uint64_t address = 0x1000,
             uint64_t bytes = 4, bool isOrdering = false) {
    const abi::MemoryAccess access{
        .address = address, .bytes = bytes, .kind = kind, .isLocal = isLocal, .isOrdering = isOrdering, .site = "{}"};
    return detector.access(group, item, access, race);
  }
};

TEST(RaceDetector, AWriteMeetsWhateverAnotherWorkItemDid) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write));
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Read)) << "its own";
  EXPECT_TRUE(launch.touch(0, 1, AccessKind::Read));
  EXPECT_EQ(launch.race.before.item, 0u);
  EXPECT_EQ(launch.race.before.kind, AccessKind::Write);
  EXPECT_EQ(launch.race.now.item, 1u);
}

TEST(RaceDetector, ReadsDoNotMeet) {
  Launch launch;
  for (uint32_t item = 0; item < 4; ++item) EXPECT_FALSE(launch.touch(0, item, AccessKind::Read));
  EXPECT_TRUE(launch.touch(0, 0, AccessKind::Write)) << "the first reader is the writer, another one is not";
}

TEST(RaceDetector, ABarrierOrdersTheMemoryOfItsFence) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write));
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write, false, 0x9000));
  launch.detector.barrier(0, 1);
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::Read));
  EXPECT_TRUE(launch.touch(0, 1, AccessKind::Read, false, 0x9000));
  launch.detector.barrier(0, 2);
  EXPECT_FALSE(launch.touch(0, 2, AccessKind::Read, false, 0x9000));
}

TEST(RaceDetector, GroupsShareGlobalMemoryOnly) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write));
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write, false, 0x9000));
  launch.detector.barrier(0, 3);
  EXPECT_FALSE(launch.touch(1, 0, AccessKind::Write)) << "another group's local memory";
  EXPECT_TRUE(launch.touch(1, 0, AccessKind::Write, false, 0x9000));
}

TEST(RaceDetector, AtomicOperationsRaceWithOthersOnly) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::AtomicUpdate));
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::AtomicUpdate));
  EXPECT_TRUE(launch.touch(0, 2, AccessKind::Read));
}

TEST(RaceDetector, ACompareAndExchangeThatFailsHasOnlyRead) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Read));
  abi::MemoryAccess access{.address = 0x1000,
                           .bytes = 4,
                           .kind = AccessKind::AtomicUpdate,
                           .hasValue = true,
                           .compares = true,
                           .isLocal = true,
                           .site = "{}"};
  EXPECT_FALSE(launch.detector.access(0, 1, access, launch.race));
  access.isAsBefore = true;
  EXPECT_TRUE(launch.detector.access(0, 1, access, launch.race));
}

TEST(RaceDetector, OrderingAtomicOperationsOrderWhatLiesBefore) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write));
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::AtomicWrite, false, 0x9000, 4, true));
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::AtomicRead, false, 0x9000, 4, true));
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::Read));
  EXPECT_TRUE(launch.touch(0, 2, AccessKind::Read)) << "it has not looked at the flag";
}

TEST(RaceDetector, ABarrierTellsAllWhatOneKnows) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write, false, 0x9000));
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::AtomicWrite, false, 0xa000, 4, true));
  EXPECT_FALSE(launch.touch(1, 0, AccessKind::AtomicRead, false, 0xa000, 4, true));
  launch.detector.barrier(1, 1);
  EXPECT_FALSE(launch.touch(0, 5, AccessKind::Read)) << "another group in between";
  EXPECT_FALSE(launch.touch(1, 7, AccessKind::Read, false, 0x9000));
}

TEST(RaceDetector, BytesOfAWordAreDifferentMemory) {
  Launch launch;
  for (uint32_t item = 0; item < 4; ++item)
    EXPECT_FALSE(launch.touch(0, item, AccessKind::Write, true, 0x1000 + item, 1)) << item;
  EXPECT_TRUE(launch.touch(0, 1, AccessKind::Write, true, 0x1003, 1));
  EXPECT_EQ(launch.race.before.item, 3u);
}

TEST(RaceDetector, MemoryThatIsNewHasNoPast) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write, false, 0x9000));
  launch.detector.forget(0x9000, 64);
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::Write, false, 0x9000));
}

TEST(RaceDetector, WorkItemsOfASubGroupThatHaveMetAreInOrder) {
  Launch launch;
  const uint32_t pair[] = {0, 1};
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write));
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write, false, 0x9000));
  launch.detector.meet(0, pair, abi::Meeting::OfSubGroup);
  launch.detector.barrier(0, 1);
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::Read));
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::Read, false, 0x9000)) << "the barrier is not for it, the meeting was";
  EXPECT_TRUE(launch.touch(0, 2, AccessKind::Read, false, 0x9000));
}

TEST(RaceDetector, AMeetingOrdersNothingOfOthers) {
  Launch launch;
  const uint32_t pair[] = {0, 1};
  EXPECT_FALSE(launch.touch(0, 40, AccessKind::Write));
  EXPECT_FALSE(launch.touch(1, 0, AccessKind::Write, false, 0x9000));
  launch.detector.meet(0, pair, abi::Meeting::OfSubGroup);
  EXPECT_TRUE(launch.touch(0, 1, AccessKind::Read)) << "another sub-group";
  EXPECT_TRUE(launch.touch(0, 1, AccessKind::Read, false, 0x9000)) << "another work-group";
}

TEST(RaceDetector, WhoHasComeToABarrierWithANumberIsBeforeWhoHasWaited) {
  Launch launch;
  const uint32_t waiters[] = {32, 33};
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write));
  launch.detector.meet(0, waiters, abi::Meeting::OfGroup);
  EXPECT_FALSE(launch.touch(0, 33, AccessKind::Read));
  EXPECT_TRUE(launch.touch(0, 34, AccessKind::Read));
}

TEST(RaceDetector, OthersAtomicOperationsAreNotHiddenByOnesOwn) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::AtomicUpdate));
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::AtomicUpdate));
  EXPECT_TRUE(launch.touch(0, 1, AccessKind::Read));
  EXPECT_EQ(launch.race.before.item, 0u);
}

TEST(RaceDetector, BothSidesOfAWideAccessAreTwo) {
  Launch launch;
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write, false, 0x9000, 16));
  EXPECT_TRUE(launch.touch(1, 0, AccessKind::Write, false, 0x9000, 16));
  EXPECT_EQ(launch.race.before.group, 0u);
  EXPECT_EQ(launch.race.now.group, 1u);
}

TEST(RaceDetector, AFenceOrdersCopiesAndNothingElse) {
  Launch launch;
  launch.detector.begin(0, 0);
  EXPECT_FALSE(launch.touch(0, RaceDetector::itemOfCopy(0), AccessKind::Write));
  EXPECT_FALSE(launch.touch(0, RaceDetector::itemOfCopy(0), AccessKind::Write, false, 0x9000));
  launch.detector.fenceCopies(0, 1);
  launch.detector.begin(0, 1);
  EXPECT_FALSE(launch.touch(0, RaceDetector::itemOfCopy(1), AccessKind::Read));
  EXPECT_TRUE(launch.touch(0, RaceDetector::itemOfCopy(1), AccessKind::Read, false, 0x9000)) << "of other memory";
  EXPECT_TRUE(launch.touch(0, 0, AccessKind::Read)) << "no copy";
}

TEST(RaceDetector, ACopyIsOrderedWhenItIsComplete) {
  Launch launch;
  const uint32_t copy = RaceDetector::itemOfCopy(0);
  EXPECT_FALSE(launch.touch(0, 0, AccessKind::Write));
  launch.detector.begin(0, 0);
  EXPECT_TRUE(launch.touch(0, copy, AccessKind::Read)) << "no barrier was before it, not even for who made it";
  launch.detector.barrier(0, 1);
  EXPECT_TRUE(launch.touch(0, 0, AccessKind::Write)) << "a barrier does not wait for it";
  EXPECT_TRUE(RaceDetector::isCopy(launch.race.before.item));
  launch.detector.complete(0, 0);
  launch.detector.barrier(0, 1);
  EXPECT_FALSE(launch.touch(0, 1, AccessKind::Write));
}

} // namespace
} // namespace us::check
