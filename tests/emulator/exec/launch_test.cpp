// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of hand-written kernels: every group once, ascending tickets, memory, floating-point modes.
#include "emulator/exec/launch.h"
#include "tests/emulator/exec/test_scheduler.h"

#include <atomic>
#include <cfenv>
#include <chrono>
#include <gtest/gtest.h>
#include <mutex>
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

namespace us::exec {
namespace {

struct Arguments {
  std::atomic<uint32_t> *counts = nullptr;
  std::atomic<uint64_t> *value = nullptr;
  uint64_t work = 0;
};

const Arguments &argumentsOf(const abi::LaunchContext *launch) {
  return *reinterpret_cast<const Arguments *>(launch->arguments);
}

LaunchPlan planFor(abi::RangeEntry entry, const Arguments &arguments, uint64_t globalSize, uint64_t localSize) {
  LaunchPlan plan;
  plan.entry = reinterpret_cast<void *>(entry);
  plan.kernelName = "test";
  plan.globalSize = {globalSize, 1, 1};
  plan.localSize = {localSize, 1, 1};
  plan.arguments = reinterpret_cast<const std::byte *>(&arguments);
  return plan;
}

void countGroups(abi::LaunchContext *launch, abi::GroupContext *group, uint64_t first, uint64_t last) {
  const Arguments &arguments = argumentsOf(launch);
  for (uint64_t i = first; i < last; ++i) {
    arguments.counts[i].fetch_add(1, std::memory_order_relaxed);
    for (volatile uint64_t spin = 0; spin < arguments.work; spin = spin + 1) {
    }
  }
}

TEST(Launch, RunsEveryGroupOnce) {
  for (uint64_t groups : {1, 2, 3, 7, 64, 1000, 100000}) {
    std::vector<std::atomic<uint32_t>> counts(groups);
    Arguments arguments{.counts = counts.data()};
    CostEstimate cost;
    LaunchPlan plan = planFor(countGroups, arguments, groups * 64, 64);
    plan.cost = &cost;
    // The first launch knows nothing of the cost, the later ones do.
    for (uint32_t round = 1; round <= 3; ++round) {
      ASSERT_TRUE(runLaunch(plan));
      for (uint64_t i = 0; i < groups; ++i) ASSERT_EQ(counts[i].load(), round) << "group " << i << " of " << groups;
    }
  }
}

TEST(Launch, RunsLongGroupsOnceOnSeveralThreads) {
  std::vector<std::atomic<uint32_t>> counts(500);
  Arguments arguments{.counts = counts.data(), .work = 20000};
  ASSERT_TRUE(runLaunch(planFor(countGroups, arguments, counts.size(), 1)));
  for (auto &count : counts) EXPECT_EQ(count.load(), 1u);
}

// Waits for the group below: ends only if groups start in ascending order.
void waitForLower(abi::LaunchContext *launch, abi::GroupContext *, uint64_t first, uint64_t last) {
  std::atomic<uint64_t> &done = *argumentsOf(launch).value;
  for (uint64_t i = first; i < last; ++i) {
    while (done.load(std::memory_order_acquire) != i) std::this_thread::yield();
    for (volatile int spin = 0; spin < 2000; spin = spin + 1) {
    }
    done.store(i + 1, std::memory_order_release);
  }
}

TEST(Launch, TicketsAscend) {
  std::atomic<uint64_t> done = 0;
  Arguments arguments{.value = &done};
  ASSERT_TRUE(runLaunch(planFor(waitForLower, arguments, 5000, 1)));
  EXPECT_EQ(done.load(), 5000u);
}

void checkGeometry(abi::LaunchContext *launch, abi::GroupContext *group, uint64_t first, uint64_t last) {
  bool right = launch->size == sizeof(abi::LaunchContext) && launch->numGroups[0] == 4 && launch->numGroups[1] == 2 &&
               launch->numGroups[2] == 1 && launch->globalOffset[1] == 7 && launch->launchNumber == 42 &&
               group->launch == launch && reinterpret_cast<uintptr_t>(group->localArena) % 128 == 0 &&
               reinterpret_cast<uintptr_t>(group->exchange) % 128 == 0;
  std::fill_n(group->localArena, 5000, std::byte{1});
  // Vectors with masks reach beside it; what is there is nobody's.
  std::fill_n(group->localArena - 128, 128, std::byte{2});
  std::fill_n(group->localArena + 5000, 128, std::byte{2});
  std::fill_n(group->exchange, 4 * 3 * abi::kExchangeSlot, std::byte{1});
  if (right) *argumentsOf(launch).value += last - first;
}

TEST(Launch, GivesTheKernelItsContext) {
  std::atomic<uint64_t> right = 0;
  Arguments arguments{.value = &right};
  LaunchPlan plan = planFor(checkGeometry, arguments, 13, 4);
  plan.workDimensions = 2;
  plan.globalSize = {13, 6, 1};
  plan.globalOffset = {0, 7, 0};
  plan.localSize = {4, 3, 1};
  plan.launchNumber = 42;
  plan.localMemory = 5000;
  plan.usesExchange = true;
  ASSERT_TRUE(runLaunch(plan));
  EXPECT_EQ(right.load(), 8u);
}

TEST(Launch, AnEmptyRangeRunsNothing) {
  std::vector<std::atomic<uint32_t>> counts(1);
  Arguments arguments{.counts = counts.data()};
  ASSERT_TRUE(runLaunch(planFor(countGroups, arguments, 0, 1)));
  EXPECT_EQ(counts[0].load(), 0u);
}

// No 64 bits can count them: a product that wraps to 0 would be a success without any work.
TEST(Launch, MoreGroupsThanCanBeCountedAreRefused) {
  std::vector<std::atomic<uint32_t>> counts(1);
  Arguments arguments{.counts = counts.data()};
  for (const Size3 &size : {Size3{1ull << 32, 1ull << 32, 1}, Size3{1ull << 22, 1ull << 22, 1ull << 22},
                            Size3{UINT64_MAX, UINT64_MAX, 1}}) {
    LaunchPlan plan = planFor(countGroups, arguments, 1, 1);
    plan.workDimensions = 3;
    plan.globalSize = size;
    const Expected<void> result = runLaunch(plan);
    ASSERT_FALSE(result) << size[0];
    EXPECT_EQ(result.error().code, ErrorCode::OutOfResources);
    EXPECT_NE(result.error().message.find(std::to_string(size[0])), std::string::npos) << result.error().message;
  }
  EXPECT_EQ(counts[0].load(), 0u);
}

void trapAtOnce(abi::LaunchContext *launch, abi::GroupContext *group, uint64_t, uint64_t) {
  launch->runtime->trap(group, 7);
}

// The largest size is one, too: its groups are not rounded up to none.
TEST(Launch, TheLargestSizeHasGroups) {
  Arguments arguments;
  for (uint64_t local : {1, 64, 1000}) {
    const Expected<void> result = runLaunch(planFor(trapAtOnce, arguments, UINT64_MAX, local));
    ASSERT_FALSE(result) << local;
    EXPECT_EQ(result.error().code, ErrorCode::KernelTrap);
  }
}

// Counts the groups that run elsewhere than on core `work`, or could.
void countElsewhere(abi::LaunchContext *launch, abi::GroupContext *, uint64_t first, uint64_t last) {
  cpu_set_t may;
  sched_getaffinity(0, sizeof may, &may);
  const int core = static_cast<int>(argumentsOf(launch).work);
  if (CPU_COUNT(&may) != 1 || !CPU_ISSET(core, &may) || sched_getcpu() != core)
    *argumentsOf(launch).value += last - first;
  for (volatile uint64_t spin = 0; spin < 20000 * (last - first); spin = spin + 1) {
  }
}

TEST(Launch, StaysOnItsCoresAndGivesTheThreadBack) {
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  std::atomic<uint64_t> elsewhere = 0;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &before)) continue;
    Arguments arguments{.value = &elsewhere, .work = static_cast<uint64_t>(core)};
    LaunchPlan plan = planFor(countElsewhere, arguments, 300, 1);
    plan.cores = {&core, 1};
    ASSERT_TRUE(runLaunch(plan));
  }
  EXPECT_EQ(elsewhere.load(), 0u);
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  // Nor did a worker that was started meanwhile inherit them.
  std::mutex mutex;
  std::set<int> counts;
  std::pair<std::mutex *, std::set<int> *> seen{&mutex, &counts};
  Arguments arguments{.value = reinterpret_cast<std::atomic<uint64_t> *>(&seen)};
  auto freedom = [](abi::LaunchContext *launch, abi::GroupContext *, uint64_t first, uint64_t last) {
    cpu_set_t may;
    sched_getaffinity(0, sizeof may, &may);
    for (volatile uint64_t spin = 0; spin < 20000 * (last - first); spin = spin + 1) {
    }
    auto &seen = *reinterpret_cast<std::pair<std::mutex *, std::set<int> *> *>(argumentsOf(launch).value);
    std::lock_guard lock(*seen.first);
    seen.second->insert(CPU_COUNT(&may));
  };
  ASSERT_TRUE(runLaunch(planFor(freedom, arguments, 300, 1)));
  EXPECT_EQ(counts, std::set<int>{CPU_COUNT(&before)});
}

void roundingMode(abi::LaunchContext *launch, abi::GroupContext *, uint64_t, uint64_t) {
  *argumentsOf(launch).value = static_cast<uint64_t>(std::fegetround());
  std::fesetround(FE_DOWNWARD);
}

TEST(Launch, KernelsHaveTheirOwnFloatingPointModes) {
  std::atomic<uint64_t> seen = 12345;
  Arguments arguments{.value = &seen};
  std::fesetround(FE_UPWARD);
  auto result = runLaunch(planFor(roundingMode, arguments, 1, 1));
  int after = std::fegetround();
  std::fesetround(FE_TONEAREST);
  ASSERT_TRUE(result);
  EXPECT_EQ(seen.load(), static_cast<uint64_t>(FE_TONEAREST));
  EXPECT_EQ(after, FE_UPWARD);
}

void useStack(abi::LaunchContext *launch, abi::GroupContext *, uint64_t, uint64_t) {
  volatile char large[3 << 20];
  for (size_t i = 0; i < sizeof large; i += 4096) large[i] = 1;
  *argumentsOf(launch).value = large[4096];
}

TEST(Launch, LargeFramesGetALargeStack) {
  std::atomic<uint64_t> value = 0;
  Arguments arguments{.value = &value};
  LaunchPlan plan = planFor(useStack, arguments, 1, 1);
  plan.frameBytes = (3 << 20) + 4096;
  // The calling thread's own stack may be small.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t thread;
  auto run = [](void *plan) -> void * { return runLaunch(*static_cast<LaunchPlan *>(plan)) ? plan : nullptr; };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &plan), 0);
  void *result = nullptr;
  pthread_join(thread, &result);
  pthread_attr_destroy(&attributes);
  EXPECT_NE(result, nullptr);
  EXPECT_EQ(value.load(), 1u);
}

TEST(Launch, SeveralThreadsLaunchAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::vector<std::atomic<uint32_t>> counts(300);
      Arguments arguments{.counts = counts.data(), .work = 300};
      for (uint32_t round = 1; round <= 50; ++round) {
        if (!runLaunch(planFor(countGroups, arguments, counts.size(), 1))) ++failures;
        for (auto &count : counts) failures += count.load() != round;
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
}

void nothing(abi::LaunchContext *, abi::GroupContext *, uint64_t, uint64_t) {}

// Prints only: the figure belongs to an idle machine and an optimised build.
TEST(Launch, Overhead) {
  Arguments arguments;
  CostEstimate cost;
  LaunchPlan plan = planFor(nothing, arguments, 1, 1);
  plan.cost = &cost;
  ASSERT_TRUE(runLaunch(plan));
  double best = 1e9;
  for (int batch = 0; batch < 200; ++batch) {
    constexpr int kLaunches = 100;
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kLaunches; ++i) (void)!!runLaunch(plan);
    auto elapsed = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin);
    best = std::min(best, elapsed.count() / kLaunches);
  }
  std::printf("an empty launch takes %.0f ns\n", best);
}

} // namespace
} // namespace us::exec
