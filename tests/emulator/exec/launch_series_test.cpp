// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in a row on one thread: each does what runLaunch does, whatever came before it.
#include "emulator/exec/launch_series.h"
#include "runtime/device/command_outcome.h"
#include "tests/emulator/exec/kernel_code.h"
#include "tests/emulator/exec/test_scheduler.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>
#include <vector>

namespace us::exec {
namespace {

struct Arguments {
  uint64_t *numbers = nullptr; ///< of the launches, as they ran
  uint64_t *count = nullptr;   ///< of these
  volatile char *pointer = nullptr;
  uint64_t faultyGroup = ~uint64_t(0), local = 0;
  bool isRight = true;
};

Arguments &argumentsOf(const abi::LaunchContext *launch) {
  return *const_cast<Arguments *>(reinterpret_cast<const Arguments *>(launch->arguments));
}

struct Observer final : CommandOutcome {
  void found(const Finding &finding) override { findings.push_back(finding); }
  std::vector<Finding> findings;
};

/// Writes down its launch's number for each group, and fills the memory that its launch has asked for.
void note(abi::LaunchContext *launch, abi::GroupContext *group, uint64_t first, uint64_t last) {
  Arguments &arguments = argumentsOf(launch);
  arguments.isRight &= group->launch == launch && launch->abortWord == 0 && launch->localMemory == arguments.local;
  std::fill_n(group->localArena, launch->localMemory, std::byte{1});
  std::fill_n(group->exchange, launch->localSize[0] * abi::kExchangeSlot, std::byte{1});
  for (uint64_t i = first; i < last; ++i) {
    group->linearGroup = i;
    if (i == arguments.faultyGroup) *arguments.pointer = 1;
    arguments.numbers[(*arguments.count)++] = launch->launchNumber;
  }
}

LaunchPlan planFor(abi::RangeEntry entry, Arguments &arguments, CostEstimate &cost, uint64_t groups = 1) {
  LaunchPlan plan;
  plan.entry = reinterpret_cast<void *>(entry);
  plan.kernelName = "noted";
  plan.cost = &cost;
  plan.globalSize = {groups * 8, 1, 1};
  plan.localSize = {8, 1, 1};
  plan.localMemory = arguments.local;
  plan.usesExchange = true;
  plan.arguments = reinterpret_cast<const std::byte *>(&arguments);
  plan.sourceLine = [](void *, uint64_t) { return abi::SourceLine{"noted", "noted.cl", 7}; };
  return plan;
}

class Series : public testing::Test {
protected:
  std::vector<uint64_t> numbers_ = std::vector<uint64_t>(1000);
  uint64_t count_ = 0;
  CostEstimate cost_;
  Observer observer_;

  Arguments arguments(uint64_t local = 0) { return {.numbers = numbers_.data(), .count = &count_, .local = local}; }
};

TEST_F(Series, EachLaunchHasItsNumberItsGroupsAndItsMemory) {
  Arguments small = arguments(64), large = arguments(50'000), two = arguments(128);
  const RepeatedLaunch one(planFor(note, small, cost_)), other(planFor(note, large, cost_));
  const RepeatedLaunch pair(planFor(note, two, cost_, 2));
  LaunchSeries series(testScheduler(), observer_);
  std::vector<uint64_t> expected;
  for (uint64_t i = 0; i < 200; ++i) {
    const bool isPair = i % 5 == 4;
    // The cost is known for most of them; now and then it is not, or seems so large that nobody runs it alone.
    if (i % 40 == 30) cost_.picosecondsPerItem = i % 80 == 30 ? 0 : 1'000'000'000;
    ASSERT_TRUE(series.run(isPair ? pair : i % 3 ? one : other, i));
    expected.insert(expected.end(), isPair ? 2 : 1, i);
  }
  numbers_.resize(count_);
  EXPECT_EQ(numbers_, expected);
  EXPECT_TRUE(small.isRight && large.isRight && two.isRight);
  EXPECT_TRUE(observer_.findings.empty());
}

TEST_F(Series, AFaultIsToldAsThatOfALaunchOfItsOwn) {
  Arguments good = arguments(), bad = arguments();
  bad.faultyGroup = 1;
  const RepeatedLaunch fine(planFor(note, good, cost_)), broken(planFor(note, bad, cost_, 2));
  const Expected<void> alone = runLaunch(planFor(note, bad, cost_, 2));
  ASSERT_FALSE(alone);
  EXPECT_NE(alone.error().message.find("kernel 'noted' wrote to 0x0, a null pointer, at noted.cl:7"), std::string::npos)
      << alone.error().message;
  for (int round = 0; round < 20; ++round) {
    LaunchSeries series(testScheduler(), observer_);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(series.run(fine, 1));
    const Expected<void> failed = series.run(broken, 2);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::KernelFault);
    EXPECT_EQ(failed.error().message, alone.error().message);
    ASSERT_EQ(observer_.findings.size(), size_t(round + 1));
    EXPECT_EQ(observer_.findings.back().items.group, (Size3{1, 0, 0}));
    // The thread is none the worse for it.
    ASSERT_TRUE(series.run(fine, 3));
    EXPECT_EQ(numbers_[count_ - 1], 3u);
  }
}

void print(abi::LaunchContext *launch, abi::GroupContext *group, uint64_t, uint64_t) {
  (void)launch->runtime->print(group, 0, launch->launchNumber % 2 ? "odd\n" : "even\n", nullptr, 0);
}

TEST_F(Series, WhatIsPrintedIsWrittenWithItsLaunch) {
  Arguments none;
  LaunchPlan plan = planFor(print, none, cost_);
  const RepeatedLaunch first(plan);
  plan.printfLimit = 1; // nothing fits
  const RepeatedLaunch narrow(plan);
  testing::internal::CaptureStdout();
  {
    LaunchSeries series(testScheduler(), observer_);
    for (uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(series.run(first, i));
    std::fputs("by the host\n", stdout);
    for (uint64_t i = 4; i < 6; ++i) EXPECT_TRUE(series.run(narrow, i));
    EXPECT_TRUE(series.run(first, 6));
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "even\nodd\neven\nodd\nby the host\neven\n");
}

// One in its kernel, and one between two launches; the host's handler sees both.
TEST_F(Series, CtrlCEndsALaunch) {
#ifdef US_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer delivers no signal inside such a loop";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static std::atomic<int> seen = 0;
        signal(SIGINT, [](int) { ++seen; });
        Arguments good = arguments();
        LaunchPlan plan = planFor(note, good, cost_);
        LaunchPlan endless = planFor(makeCode<abi::RangeEntry>(kEndlessLoop), good, cost_);
        plan.interruptible = endless.interruptible = true;
        const RepeatedLaunch launch(plan);
        const RepeatedLaunch endlessLaunch(endless);
        bool right = true;
        {
          LaunchSeries series(testScheduler(), observer_);
          for (int i = 0; i < 100; ++i) right &= series.run(launch, 1).has_value();
          std::thread([] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            kill(getpid(), SIGINT);
          }).detach();
          const Expected<void> ended = series.run(endlessLaunch, 2);
          right &= !ended && ended.error().code == ErrorCode::KernelInterrupted && seen == 1;
        }
        right &= observer_.findings.size() == 1 && observer_.findings[0].kind == FindingKind::Interrupted;
        {
          LaunchSeries series(testScheduler(), observer_);
          right &= series.run(launch, 3).has_value();
          const uint64_t before = count_;
          kill(getpid(), SIGINT);
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          const Expected<void> ended = series.run(launch, 4);
          right &= !ended && ended.error().code == ErrorCode::KernelInterrupted && seen == 2 && count_ == before;
        }
        // The thread is none the worse for it.
        _exit(right && LaunchSeries(testScheduler(), observer_).run(launch, 5) ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

struct Seen {
  std::mutex mutex;
  std::set<std::thread::id> threads; ///< guarded by it
};

void work(abi::LaunchContext *launch, abi::GroupContext *, uint64_t first, uint64_t last) {
  Seen &seen = *const_cast<Seen *>(reinterpret_cast<const Seen *>(launch->arguments));
  for (uint64_t i = first; i < last; ++i)
    for (volatile int spin = 0; spin < 100'000; spin = spin + 1) {
    }
  const std::scoped_lock lock(seen.mutex);
  seen.threads.insert(std::this_thread::get_id());
}

TEST_F(Series, LargeLaunchesAreShared) {
  if (testThreads() < 2) GTEST_SKIP() << "one thread only";
  Seen seen;
  Arguments none;
  LaunchPlan plan = planFor(work, none, cost_, 100);
  plan.arguments = reinterpret_cast<const std::byte *>(&seen);
  const RepeatedLaunch large(plan);
  // Other work on the machine may keep a worker from coming; not always.
  for (int attempt = 0; attempt < 50 && seen.threads.size() < 2; ++attempt) {
    LaunchSeries series(testScheduler(), observer_);
    ASSERT_TRUE(series.run(large, 0));
  }
  EXPECT_GE(seen.threads.size(), 2u);
}

} // namespace
} // namespace us::exec
