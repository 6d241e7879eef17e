// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fiber tier: barriers, sub-group synchronisation, ended work-items, deadlocks.
#include "emulator/abi/launch_checks.h"
#include "emulator/exec/launch.h"
#include "tests/emulator/exec/test_scheduler.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

namespace us::exec {
namespace {

using Kernel = abi::ItemEntry;

struct Arguments {
  uint32_t *out = nullptr;
};

Arguments argumentsOf(const abi::ItemContext *item) {
  return *reinterpret_cast<const Arguments *>(item->group->launch->arguments);
}
const abi::RuntimeFunctions &runtimeOf(const abi::ItemContext *item) { return *item->group->launch->runtime; }
void barrier(abi::ItemContext *item, uint32_t site = 1) { runtimeOf(item).barrier(item, 1, 1, site); }
uint64_t linearGlobal(const abi::ItemContext *item) {
  return item->group->linearGroup * item->group->launch->localSize[0] + item->linearLocalId;
}

LaunchPlan planFor(Kernel kernel, const Arguments &arguments, uint64_t globalSize, uint64_t localSize) {
  LaunchPlan plan;
  plan.entry = reinterpret_cast<void *>(kernel);
  plan.shape = abi::EntryShape::Item;
  plan.kernelName = "fibers";
  plan.globalSize = {globalSize, 1, 1};
  plan.localSize = {localSize, 1, 1};
  plan.arguments = reinterpret_cast<const std::byte *>(&arguments);
  plan.localMemory = 65536;
  plan.sourceLine = [](void *, uint64_t) { return abi::SourceLine{"fibers", "fibers.cl", 3}; };
  return plan;
}

// Tree reduction in local memory.
void reduce(abi::ItemContext *item) {
  uint32_t *local = reinterpret_cast<uint32_t *>(item->group->localArena);
  local[item->linearLocalId] = static_cast<uint32_t>(linearGlobal(item));
  barrier(item);
  for (uint64_t step = item->group->localSize[0] / 2; step; step /= 2) {
    if (item->linearLocalId < step) local[item->linearLocalId] += local[item->linearLocalId + step];
    barrier(item, 2);
  }
  if (item->linearLocalId == 0) argumentsOf(item).out[item->group->groupId[0]] = local[0];
}

TEST(Fibers, ReduceThroughBarriers) {
  constexpr uint32_t kGroups = 200, kItems = 256;
  std::vector<uint32_t> out(kGroups);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(reduce, arguments, kGroups * kItems, kItems)));
  for (uint32_t g = 0; g < kGroups; ++g) {
    uint32_t first = g * kItems, sum = (first + first + kItems - 1) * kItems / 2;
    EXPECT_EQ(out[g], sum) << g;
  }
}

void writeIds(abi::ItemContext *item) {
  const abi::GroupContext &group = *item->group;
  const abi::LaunchContext &launch = *group.launch;
  uint64_t id[3];
  for (int i = 0; i < 3; ++i) id[i] = group.groupId[i] * launch.localSize[i] + item->localId[i];
  uint64_t at = (id[2] * launch.globalSize[1] + id[1]) * launch.globalSize[0] + id[0];
  uint64_t linear = (item->localId[2] * group.localSize[1] + item->localId[1]) * group.localSize[0] + item->localId[0];
  argumentsOf(item).out[at] += linear == item->linearLocalId ? 1 : 1000;
}

TEST(Fibers, RaggedGroupsCoverTheRange) {
  std::vector<uint32_t> out(13 * 7 * 5);
  Arguments arguments{out.data()};
  LaunchPlan plan = planFor(writeIds, arguments, 1, 1);
  plan.workDimensions = 3;
  plan.globalSize = {13, 7, 5};
  plan.localSize = {4, 3, 2};
  ASSERT_TRUE(runLaunch(plan));
  for (uint32_t count : out) EXPECT_EQ(count, 1u);
}

void largeGroup(abi::ItemContext *item) {
  volatile char frame[8192];
  frame[8191] = static_cast<char>(item->linearLocalId);
  barrier(item);
  uint32_t next = (item->linearLocalId + 1) % item->group->localSize[0];
  uint32_t *local = reinterpret_cast<uint32_t *>(item->group->localArena);
  local[item->linearLocalId] = item->linearLocalId;
  barrier(item);
  argumentsOf(item).out[linearGlobal(item)] = local[next] + static_cast<uint8_t>(frame[8191]) * 0;
}

TEST(Fibers, LargeGroupsOnSeveralThreads) {
  constexpr uint64_t kGroups = 20, kItems = 4096;
  std::vector<uint32_t> out(kGroups * kItems);
  Arguments arguments{out.data()};
  LaunchPlan plan = planFor(largeGroup, arguments, kGroups * kItems, kItems);
  plan.frameBytes = 8192 + 512;
  ASSERT_TRUE(runLaunch(plan));
  for (uint64_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], (i + 1) % kItems);
}

TEST(Fibers, AGroupBeyondTheStacksOfAProcessIsRefused) {
  Arguments arguments;
  auto result = runLaunch(planFor(writeIds, arguments, 20000, 20000));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::OutOfResources);
}

// Odd work-items end at once: the others' barrier does not wait for them.
void someEnd(abi::ItemContext *item) {
  if (item->linearLocalId % 2) return;
  barrier(item);
  argumentsOf(item).out[linearGlobal(item)] = 1;
}

TEST(Fibers, EndedWorkItemsDoNotCount) {
  std::vector<uint32_t> out(64);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(someEnd, arguments, 64, 32)));
  for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i % 2 == 0);
}

void divergent(abi::ItemContext *item) {
  if (item->linearLocalId < 3)
    barrier(item, 1);
  else
    barrier(item, 2);
  argumentsOf(item).out[linearGlobal(item)] = 1;
}

TEST(Fibers, DivergentBarriersGoOn) {
  std::vector<uint32_t> out(8);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(divergent, arguments, 8, 8)));
  for (uint32_t value : out) EXPECT_EQ(value, 1u);
}

TEST(Fibers, StrictDivergentBarriersAreADeadlock) {
  std::vector<uint32_t> out(16);
  Arguments arguments{out.data()};
  LaunchPlan plan = planFor(divergent, arguments, 16, 8);
  plan.strictBarriers = true;
  for (int round = 0; round < 2; ++round) {
    auto result = runLaunch(plan);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::KernelDeadlock);
    EXPECT_EQ(result.error().message,
              "kernel 'fibers' cannot go on, in work-group (0): work-items 0-2 wait at the barrier at fibers.cl:3; "
              "work-items 3-7 wait at the barrier at fibers.cl:3");
  }
}

/// What is told of barriers.
struct Divergences final : abi::LaunchChecks {
  void failed(uint64_t, uint64_t, const abi::CheckFailure &) override {}
  void diverged(uint64_t group, std::vector<abi::BarrierWait> waits) override { told.emplace_back(group, waits); }
  void metWrongly(uint64_t, uint64_t, uint64_t, abi::WrongMeeting, uint32_t) override {}
  void misprinted(uint64_t, uint64_t, uint64_t, const std::string &) override {}
  void accessed(uint64_t, uint64_t, const abi::MemoryAccess &) override {}
  void raced(uint64_t, uint64_t, const abi::CellRace &) override {}
  void requirementFailed(abi::CheckSet) override {}
  uint64_t copied(uint64_t, uint64_t, uint64_t, const abi::AsyncCopy &copy) override { return copy.event; }
  void fencedCopies(uint64_t, uint64_t, uint64_t, uint32_t, const char *) override {}
  void awaits(uint64_t, uint64_t, uint64_t, std::span<const uint64_t>, const char *) override {}
  void allocated(uint64_t, uint64_t) override {}
  void passedBarrier(uint64_t, uint32_t) override {}
  void met(uint64_t, std::span<const uint32_t>, abi::Meeting) override {}
  std::vector<std::pair<uint64_t, std::vector<abi::BarrierWait>>> told;
};

TEST(Fibers, CheckedDivergentBarriersAreToldAndGoOn) {
  using Items = std::vector<std::pair<uint64_t, uint64_t>>;
  std::vector<uint32_t> out(8);
  Arguments arguments{out.data()};
  LaunchPlan plan = planFor(divergent, arguments, 8, 8);
  Divergences divergences;
  plan.strictBarriers = true;
  plan.checks = &divergences;
  ASSERT_TRUE(runLaunch(plan));
  for (uint32_t value : out) EXPECT_EQ(value, 1u);
  ASSERT_EQ(divergences.told.size(), 1u);
  const auto &[group, waits] = divergences.told[0];
  EXPECT_EQ(group, 0u);
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].items, (Items{{0, 3}}));
  EXPECT_EQ(waits[1].items, (Items{{3, 8}}));
}

void oneInFourEnds(abi::ItemContext *item) {
  if (item->linearLocalId % 4 != 3) barrier(item, 1);
}

TEST(Fibers, WhoEndsBeforeABarrierIsToldWhereTheLanguageForbidsIt) {
  using Items = std::vector<std::pair<uint64_t, uint64_t>>;
  std::vector<uint32_t> out(8);
  Arguments arguments{out.data()};
  LaunchPlan plan = planFor(oneInFourEnds, arguments, 8, 8);
  Divergences divergences;
  plan.strictBarriers = true;
  plan.checks = &divergences;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_TRUE(divergences.told.empty());
  plan.barriersForAll = true;
  ASSERT_TRUE(runLaunch(plan));
  ASSERT_EQ(divergences.told.size(), 1u);
  const std::vector<abi::BarrierWait> &waits = divergences.told[0].second;
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].items, (Items{{0, 3}, {4, 7}}));
  EXPECT_EQ(waits[1].site, abi::BarrierWait::kEnded);
  EXPECT_EQ(waits[1].items, (Items{{3, 4}, {7, 8}}));
}

// Work-item 40 ends first; then each sub-group counts its members at one call, and part of it at another.
void subGroups(abi::ItemContext *item) {
  if (item->linearLocalId == 40) return;
  uint32_t all = runtimeOf(item).subGroupSync(item, 1, ~0u, 1);
  uint32_t part = 0;
  if (item->linearLocalId % 4 == 1)
    part = runtimeOf(item).subGroupSync(item, 1, ~0u, 2);
  else if (item->linearLocalId % 4 == 2)
    part = runtimeOf(item).subGroupSync(item, 1, ~0u, 3);
  barrier(item);
  argumentsOf(item).out[2 * linearGlobal(item)] = all;
  argumentsOf(item).out[2 * linearGlobal(item) + 1] = part;
}

TEST(Fibers, SubGroupSyncTellsWhoTookPart) {
  std::vector<uint32_t> out(2 * 80);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(subGroups, arguments, 80, 80)));
  for (uint32_t i = 0; i < 80; ++i) {
    uint32_t all = i < 32 ? 0xffffffff : i < 64 ? ~(1u << 8) : 0xffff;
    uint32_t part = i % 4 == 1 ? 0x22222222 : i % 4 == 2 ? 0x44444444 : 0;
    if (i == 40) all = 0;
    EXPECT_EQ(out[2 * i], all) << i;
    EXPECT_EQ(out[2 * i + 1], part & all) << i;
  }
}

std::atomic_ref<uint32_t> localWord(abi::ItemContext *item, uint32_t index) {
  return std::atomic_ref(reinterpret_cast<uint32_t *>(item->group->localArena)[index]);
}
void waitUntil(abi::ItemContext *item, uint32_t index, uint32_t value) {
  while (localWord(item, index) != value) runtimeOf(item).yield(item, 7);
}
void clearLocal(abi::ItemContext *item) {
  if (item->linearLocalId < 8) localWord(item, item->linearLocalId) = 0;
  barrier(item, 100);
}

// Each work-item waits for the one behind it, and the last one for nobody; the others are at a barrier meanwhile.
void waitForTheNext(abi::ItemContext *item) {
  clearLocal(item);
  const uint32_t last = static_cast<uint32_t>(item->group->localSize[0]) - 1;
  if (item->linearLocalId % 2 == 1) {
    waitUntil(item, 0, last - item->linearLocalId);
    localWord(item, 0).fetch_add(2);
  }
  barrier(item);
  argumentsOf(item).out[linearGlobal(item)] = localWord(item, 0);
}

TEST(Fibers, AWorkItemThatWaitsForAnotherGivesUpItsTurn) {
  std::vector<uint32_t> out(4 * 128);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(waitForTheNext, arguments, out.size(), 128)));
  for (uint32_t value : out) EXPECT_EQ(value, 128u);
}

// Lane 5 is late: it looks at memory in some rounds before it comes.
void oneIsLate(abi::ItemContext *item) {
  for (uint32_t i = 0; item->linearLocalId == 5 && i < 9; ++i) runtimeOf(item).yield(item, 7);
  argumentsOf(item).out[linearGlobal(item)] = runtimeOf(item).subGroupSync(item, 1, ~0u, 1);
}

TEST(Fibers, ASubGroupWaitsForThoseThatLookAtMemory) {
  std::vector<uint32_t> out(32);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(oneIsLate, arguments, 32, 32)));
  for (uint32_t mask : out) EXPECT_EQ(mask, 0xffffffff);
}

// The upper half looks at memory until the lower half has met twice, by itself.
void halfMeets(abi::ItemContext *item) {
  clearLocal(item);
  uint32_t met = 0;
  if (item->linearLocalId >= 16) {
    waitUntil(item, 0, 1);
    met = runtimeOf(item).subGroupSync(item, 1, 0xffff0000, 1);
  } else {
    runtimeOf(item).subGroupSync(item, 1, 0xffff, 2);
    met = runtimeOf(item).subGroupSync(item, 1, 0xffff, 3);
    if (item->linearLocalId == 9) localWord(item, 0) = 1;
  }
  argumentsOf(item).out[linearGlobal(item)] = met;
}

TEST(Fibers, MembersDoNotWaitForOthers) {
  std::vector<uint32_t> out(64);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(halfMeets, arguments, 64, 32)));
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 32 < 16 ? 0xffffu : 0xffff0000u) << i;
}

// Who waits for nobody in particular goes on with those that are there.
void whoeverComes(abi::ItemContext *item) {
  clearLocal(item);
  if (item->linearLocalId < 10) {
    argumentsOf(item).out[item->linearLocalId] = runtimeOf(item).subGroupSync(item, 1, 0, 1);
    localWord(item, 0) = 1;
  } else {
    waitUntil(item, 0, 1);
    argumentsOf(item).out[item->linearLocalId] = runtimeOf(item).subGroupSync(item, 1, ~0u, 2);
  }
}

TEST(Fibers, WithoutMembersNobodyIsWaitedFor) {
  std::vector<uint32_t> out(32);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(whoeverComes, arguments, 32, 32)));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 10 ? 0x3ffu : ~0x3ffu) << i;
}

void waitForEver(abi::ItemContext *item) {
  clearLocal(item);
  if (item->linearLocalId >= 6) barrier(item);
  if (item->linearLocalId >= 2) runtimeOf(item).subGroupSync(item, 1, ~0u, 1);
  waitUntil(item, 0, 1);
}

TEST(Fibers, AtTheTimeLimitTheMessageSaysWhoWaitsWhere) {
  Arguments arguments;
  LaunchPlan plan = planFor(waitForEver, arguments, 8, 8);
  plan.timeLimit = 50;
  auto result = runLaunch(plan);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::KernelTimeout);
  EXPECT_EQ(result.error().message,
            "kernel 'fibers' ran longer than the time limit of 50 ms, in work-group (0): work-items 0-1 wait in a loop "
            "for memory to change at fibers.cl:3; work-items 2-5 wait at the sub-group operation at fibers.cl:3; "
            "work-items 6-7 wait at the barrier at fibers.cl:3");
}

// Each group waits until all have come, twice; the others of the group are at a barrier meanwhile.
void waitForAllGroups(abi::ItemContext *item) {
  const uint32_t groups = static_cast<uint32_t>(item->group->launch->numGroups[0]);
  std::atomic_ref<uint32_t> arrived(argumentsOf(item).out[0]);
  for (uint32_t round = 1; round <= 2; ++round) {
    if (item->linearLocalId == 0) {
      arrived.fetch_add(1);
      while (arrived.load() < groups * round) runtimeOf(item).yield(item, 7);
    }
    barrier(item);
  }
}

TEST(Fibers, GroupsThatRunTogetherWaitForEachOther) {
  constexpr uint32_t kGroups = 200, kItems = 32;
  uint32_t arrived = 0;
  Arguments arguments{&arrived};
  LaunchPlan plan = planFor(waitForAllGroups, arguments, kGroups * kItems, kItems);
  plan.allTogether = true;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(arrived, 2 * kGroups);
  // One thread for all of them.
  plan.maxThreads = 1;
  arrived = 0;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(arrived, 2 * kGroups);
}

// Nobody promises it, but groups that wait for higher ones are set aside as long as there are stacks.
TEST(Fibers, GroupsThatWaitAreSetAside) {
  constexpr uint32_t kGroups = 20, kItems = 32;
  uint32_t arrived = 0;
  Arguments arguments{&arrived};
  LaunchPlan plan = planFor(waitForAllGroups, arguments, kGroups * kItems, kItems);
  plan.timeLimit = 10000;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(arrived, 2 * kGroups);
}

// The waiting goes through barriers: to the executor each round is progress.
void lookBetweenBarriers(abi::ItemContext *item) {
  const uint32_t groups = static_cast<uint32_t>(item->group->launch->numGroups[0]);
  std::atomic_ref<uint32_t> arrived(argumentsOf(item).out[0]);
  auto *seen = reinterpret_cast<uint32_t *>(item->group->localArena);
  if (item->linearLocalId == 0) arrived.fetch_add(1);
  do {
    barrier(item);
    if (item->linearLocalId == 0) *seen = arrived.load();
    barrier(item, 2);
  } while (*seen < groups);
}

TEST(Fibers, GroupsThatRunTogetherMayWaitAtBarriers) {
  constexpr uint32_t kGroups = 50, kItems = 8;
  uint32_t arrived = 0;
  Arguments arguments{&arrived};
  LaunchPlan plan = planFor(lookBetweenBarriers, arguments, kGroups * kItems, kItems);
  plan.allTogether = true;
  plan.maxThreads = 1;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(arrived, kGroups);
}

void lastGroupMissing(abi::ItemContext *item) {
  if (linearGlobal(item) < 24) waitForAllGroups(item);
}

TEST(Fibers, ADeadlockOfTheGridSaysWhoWaitsWhere) {
  uint32_t arrived = 0;
  Arguments arguments{&arrived};
  LaunchPlan plan = planFor(lastGroupMissing, arguments, 32, 8);
  plan.allTogether = true;
  plan.timeLimit = 500; // until then all three have come, other work on the machine or not
  const auto result = runLaunch(plan);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::KernelTimeout);
  EXPECT_EQ(result.error().message,
            "kernel 'fibers' ran longer than the time limit of 500 ms, in work-groups (0) to (2): work-items 0 wait in "
            "a loop for memory to change at fibers.cl:3; work-items 1-7 wait at the barrier at fibers.cl:3");
}

TEST(Fibers, TheWorkspaceOfTheGridIsZero) {
  const auto look = [](abi::ItemContext *item) {
    const abi::GridWorkspace *workspace = item->group->launch->gridWorkspace;
    argumentsOf(item).out[0] = workspace ? workspace->size : 0;
    argumentsOf(item).out[1] = workspace ? workspace->barrier + workspace->rest[61] : 1;
  };
  uint32_t seen[2] = {};
  Arguments arguments{seen};
  LaunchPlan plan = planFor(look, arguments, 1, 1);
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(seen[0], 0u);
  EXPECT_EQ(seen[1], 1u);
  plan.allTogether = true;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(seen[0], sizeof(abi::GridWorkspace));
  EXPECT_EQ(seen[1], 0u);
}

TEST(Fibers, TooManyThatRunTogetherAreRefused) {
  Arguments arguments;
  LaunchPlan plan = planFor(waitForAllGroups, arguments, 17 * 1024, 1024);
  plan.allTogether = true;
  const auto result = runLaunch(plan);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::OutOfResources);
}

// As many as a large device holds at once, if it is known how much stack they need.
TEST(Fibers, ManyRunTogetherOnSmallStacks) {
  constexpr uint32_t kGroups = 132, kItems = 256;
  uint32_t arrived = 0;
  Arguments arguments{&arrived};
  LaunchPlan plan = planFor(waitForAllGroups, arguments, kGroups * kItems, kItems);
  plan.allTogether = true;
  plan.frameBytes = 1024;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(arrived, 2 * kGroups);
}

// A group that one thread has left in the middle of its code is no other one's to go on with, if that one has only just
// seen that the launch goes on.
class AnotherComesFirst final : public Scheduler {
public:
  void run(Job &job, const JobShape &) override {
    struct OneGroup final : TicketSource {
      bool next(GroupRange &range) override {
        if (given) return false;
        range = {0, 1};
        return given = true;
      }
      void stop() override {}
      bool given = false;
    };
    struct NothingLeft final : TicketSource {
      explicit NothingLeft(Job &job) : job(job) {}
      bool next(GroupRange &) override {
        OneGroup tickets;
        if (!std::exchange(done, true)) job.work(tickets);
        return false;
      }
      void stop() override {}
      Job &job;
      bool done = false;
    };
    NothingLeft tickets(job);
    job.work(tickets);
  }
};

void countTurnsUntilATrap(abi::ItemContext *item) {
  if (item->linearLocalId == 1) runtimeOf(item).trap(item->group, 17);
  for (int i = 0; i < 9; ++i) {
    ++argumentsOf(item).out[0];
    runtimeOf(item).yield(item, 7);
  }
}

TEST(Fibers, NobodyGoesOnWithAGroupThatWasLeft) {
  uint32_t turns = 0;
  Arguments arguments{&turns};
  AnotherComesFirst scheduler;
  const auto result = runLaunch(planFor(countTurnsUntilATrap, arguments, 2, 2), scheduler);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::KernelTrap);
  EXPECT_EQ(turns, 1u);
}

// The order of turns is the scheduler's.
class Backwards final : public Scheduler {
public:
  void run(Job &job, const JobShape &shape) override { testScheduler().run(job, shape); }
  bool orderItems(const Round &, std::span<uint32_t> order) override {
    std::reverse(order.begin(), order.end());
    return true;
  }
};

void takeTurn(abi::ItemContext *item) {
  uint32_t &turns = *reinterpret_cast<uint32_t *>(item->group->localArena);
  argumentsOf(item).out[item->linearLocalId] = turns++;
}

void resetAndTakeTurn(abi::ItemContext *item) {
  std::memset(item->group->localArena, 0, 4);
  barrier(item);
  takeTurn(item);
}

TEST(Fibers, TurnsAreLinearUnlessTheSchedulerSaysOtherwise) {
  std::vector<uint32_t> out(8);
  Arguments arguments{out.data()};
  ASSERT_TRUE(runLaunch(planFor(resetAndTakeTurn, arguments, 8, 8)));
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], i);
  Backwards backwards;
  ASSERT_TRUE(runLaunch(planFor(resetAndTakeTurn, arguments, 8, 8), backwards));
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], 7 - i);
}

// --- orders by seed ---

std::atomic<uint32_t> nextTicket;

/// Each work-item's place in the order of the first round, and in that of the second.
void takeTickets(abi::ItemContext *item) {
  argumentsOf(item).out[2 * linearGlobal(item)] = nextTicket++;
  barrier(item);
  argumentsOf(item).out[2 * linearGlobal(item) + 1] = nextTicket++;
}

std::vector<uint32_t> ticketsOf(Scheduler &scheduler) {
  std::vector<uint32_t> out(2 * 80);
  Arguments arguments{out.data()};
  nextTicket = 0;
  EXPECT_TRUE(runLaunch(planFor(takeTickets, arguments, 80, 16), scheduler));
  return out;
}

TEST(Fibers, ASeedIsAnOrderOfTurns) {
  const std::vector<uint32_t> order = ticketsOf(*makeSeededScheduler(1));
  EXPECT_EQ(order, ticketsOf(*makeSeededScheduler(1)));
  EXPECT_NE(order, ticketsOf(*makeSeededScheduler(2)));
  EXPECT_NE(order, ticketsOf(*makeParallelScheduler(1)));
  // Every turn was taken once, and the second round of a group is not ordered as its first.
  EXPECT_EQ(std::set(order.begin(), order.end()).size(), order.size());
  bool sameOrder = true;
  for (uint32_t i = 0; i < 15; ++i)
    sameOrder &= (order[2 * i] < order[2 * i + 2]) == (order[2 * i + 1] < order[2 * i + 3]);
  EXPECT_FALSE(sameOrder);
}

// Whatever the order is, nobody waits for ever.
TEST(Fibers, WorkItemsAndGroupsWaitForOthersInAnyOrder) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::unique_ptr<Scheduler> scheduler = makeSeededScheduler(seed);
    std::vector<uint32_t> out(4 * 128);
    Arguments arguments{out.data()};
    ASSERT_TRUE(runLaunch(planFor(waitForTheNext, arguments, out.size(), 128), *scheduler));
    for (uint32_t value : out) ASSERT_EQ(value, 128u);
    constexpr uint32_t kGroups = 10, kItems = 8;
    uint32_t arrived = 0;
    arguments.out = &arrived;
    LaunchPlan plan = planFor(waitForAllGroups, arguments, kGroups * kItems, kItems);
    plan.allTogether = true;
    ASSERT_TRUE(runLaunch(plan, *scheduler));
    ASSERT_EQ(arrived, 2 * kGroups);
  }
}

void manyBarriers(abi::ItemContext *item) {
  for (int i = 0; i < 1000; ++i) barrier(item);
}

// Prints only: the figure belongs to an idle machine and an optimised build.
TEST(Fibers, CostOfABarrier) {
  Arguments arguments;
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(runLaunch(planFor(manyBarriers, arguments, 256, 256)));
    auto elapsed = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin);
    best = std::min(best, elapsed.count() / (256 * 1000));
  }
  std::printf("a barrier takes a work-item %.1f ns\n", best);
}

} // namespace
} // namespace us::exec
