// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parallel scheduler: who takes part, what it learns of the cost, stopping early.
#include "emulator/exec/scheduler.h"
#include "emulator/exec/worker_pool.h"
#include "tests/emulator/exec/test_scheduler.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace us::exec {
namespace {

using namespace std::chrono_literals;

void busyFor(std::chrono::nanoseconds time) {
  for (auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
  }
}

/// Takes all tickets and keeps them.
class Recorder : public Job {
public:
  explicit Recorder(std::chrono::nanoseconds each) : each_(each) {}
  void work(TicketSource &tickets) override {
    for (GroupRange range; tickets.next(range);) {
      {
        std::lock_guard lock(mutex_);
        this->tickets.push_back(range);
        threads.insert(std::this_thread::get_id());
      }
      busyFor(each_ * static_cast<int64_t>(range.last - range.first));
    }
  }
  std::vector<GroupRange> tickets;
  std::set<std::thread::id> threads;

private:
  const std::chrono::nanoseconds each_;
  std::mutex mutex_; ///< guards the two above while the job runs
};

TEST(Scheduler, TinyJobsStayOnTheCaller) {
  CostEstimate cost;
  for (int i = 0; i < 20; ++i) {
    Recorder job(0ns);
    testScheduler().run(job, {.groups = 16, .cost = &cost});
    EXPECT_EQ(job.threads, std::set{std::this_thread::get_id()});
  }
}

TEST(Scheduler, LongJobsAreShared) {
  if (testThreads() < 2) GTEST_SKIP() << "one thread only";
  // Other work on the machine may keep a worker from coming; not always.
  for (int attempt = 0; attempt < 50; ++attempt) {
    Recorder job(500us);
    testScheduler().run(job, {.groups = 100});
    if (job.threads.size() > 1) return;
  }
  FAIL() << "no worker ever helped";
}

TEST(Scheduler, NobodyIsWokenForWorkThatOneThreadHasSoonDone) {
  // 60 us, of which a worker that has to be woken would find half.
  for (int i = 0; i < 20; ++i) {
    CostEstimate cost{.picosecondsPerItem = 30'000'000};
    Recorder job(30us);
    makeParallelScheduler(16)->run(job, {.groups = 2, .cost = &cost});
    EXPECT_EQ(job.threads, std::set{std::this_thread::get_id()});
  }
}

TEST(Scheduler, ManyOfSuchJobsInARowAreShared) {
  if (testThreads() < 2) GTEST_SKIP() << "one thread only";
  CostEstimate cost{.picosecondsPerItem = 30'000'000};
  const std::unique_ptr<Scheduler> scheduler = makeParallelScheduler(testThreads());
  // Milliseconds on a quiet machine; where other work has the processors, workers come seldom.
  for (const auto end = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < end;) {
    Recorder job(30us);
    scheduler->run(job, {.groups = 2, .cost = &cost});
    if (job.threads.size() > 1) return;
  }
  FAIL() << "no worker ever helped";
}

TEST(Scheduler, AnEstimateThatIsFarTooLowIsNoticedSoon) {
  CostEstimate cost{.picosecondsPerItem = 500'000};
  Recorder job(100us);
  testScheduler().run(job, {.groups = 64, .cost = &cost});
  EXPECT_LE(job.tickets.front().last, 4u);
  EXPECT_GT(job.tickets.size(), 10u);
}

TEST(Scheduler, AnInterruptedThreadIsNoExpensiveKernel) {
  CostEstimate cost{.picosecondsPerItem = 1'000'000};
  Recorder job(20ms);
  makeParallelScheduler(1)->run(job, {.groups = 2, .cost = &cost});
  EXPECT_LE(cost.picosecondsPerItem.load(), 4'000'000u);
  EXPECT_GT(cost.picosecondsPerItem.load(), 1'000'000u);
}

TEST(Scheduler, OneThreadDoesWhatIsKnownToBeLittle) {
  Scheduler &scheduler = testScheduler();
  CostEstimate cost;
  const JobShape one{.groups = 1, .itemsPerGroup = 32, .cost = &cost}, few{.groups = 8, .cost = &cost};
  EXPECT_EQ(scheduler.runsAlone(one), Alone::No); // nothing is known
  EXPECT_EQ(scheduler.runsAlone({.groups = 1}), Alone::No);
  cost.picosecondsPerItem = 100'000;
  EXPECT_EQ(scheduler.runsAlone(few), Alone::Timed);
  EXPECT_EQ(scheduler.runsAlone({.groups = 1000, .cost = &cost}), Alone::No);
  EXPECT_EQ(scheduler.runsAlone({.groups = UINT64_MAX, .itemsPerGroup = UINT64_MAX, .cost = &cost}), Alone::No);
  // A single group has nobody to share with, whatever it costs; sometimes it is looked at.
  int timed = 0;
  for (int i = 0; i < 64; ++i) timed += scheduler.runsAlone(one) == Alone::Timed;
  EXPECT_EQ(timed, 4);
  // What it took is remembered: falls by halves, and rises.
  scheduler.ranAlone(few, 1000, 1000);
  EXPECT_EQ(cost.picosecondsPerItem, 50'000u);
  for (uint64_t i = 0; i < 20; ++i) scheduler.ranAlone(few, 1000, 100'000'000);
  EXPECT_GT(cost.picosecondsPerItem, 1'000'000'000u);
  EXPECT_EQ(scheduler.runsAlone(few), Alone::No);
  EXPECT_EQ(makeSeededScheduler(1)->runsAlone(one), Alone::No);
}

TEST(Scheduler, MaxThreadsIsKept) {
  Recorder job(200us);
  testScheduler().run(job, {.groups = 100, .maxThreads = 1});
  EXPECT_EQ(job.threads, std::set{std::this_thread::get_id()});
}

TEST(Scheduler, TicketsHoldAFractionOfAMillisecondOfWork) {
  CostEstimate cost;
  for (int i = 0; i < 3; ++i) {
    Recorder job(1us);
    testScheduler().run(job, {.groups = 20000, .itemsPerGroup = 10, .cost = &cost});
    uint64_t next = 0, largest = 0;
    std::ranges::sort(job.tickets, {}, &GroupRange::first);
    for (GroupRange ticket : job.tickets) {
      EXPECT_EQ(ticket.first, next);
      next = ticket.last;
      largest = std::max(largest, ticket.last - ticket.first);
    }
    EXPECT_EQ(next, 20000u);
    EXPECT_LE(largest, 100u);
    EXPECT_GT(largest, 1u);
  }
  // About 100 ns an item; a loaded machine only makes it more.
  EXPECT_GE(cost.picosecondsPerItem.load(), 90'000u);
}

/// The caller works on its first ticket until a worker has come, whose number and first ticket it keeps, and then
/// stops.
class Meeting : public Job {
public:
  void work(TicketSource &tickets) override {
    GroupRange range;
    if (!tickets.next(range)) return;
    if (workerNumber() != 0) {
      std::lock_guard lock(mutex_);
      if (!worker) worker = workerNumber(), workers = range;
      return;
    }
    callers = range;
    for (const auto end = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < end;) {
      {
        std::lock_guard lock(mutex_);
        if (worker) return tickets.stop();
      }
      std::this_thread::sleep_for(20us);
      // Others are invited between two tickets.
      if (GroupRange more; !tickets.next(more))
        return;
      else
        callers.last = more.last;
    }
  }
  unsigned worker = 0;
  GroupRange callers, workers;

private:
  std::mutex mutex_;
};

TEST(Scheduler, AThreadBeginsInTheSectionOfItsOwn) {
  const uint64_t threads = testThreads();
  if (threads < 2) GTEST_SKIP() << "one thread only";
  CostEstimate cost{.picosecondsPerItem = 10'000'000};
  Meeting job;
  makeParallelScheduler(testThreads())->run(job, {.groups = 100'000'000 * threads, .cost = &cost});
  ASSERT_NE(job.worker, 0u) << "no worker ever helped";
  EXPECT_EQ(job.callers.first, 0u);
  EXPECT_LE(job.callers.last, 100'000'000u);
  EXPECT_EQ(job.workers.first, 100'000'000 * (job.worker % threads));
}

TEST(Scheduler, GroupsThatMayWaitForLowerOnesAscendOverAllThreads) {
  const uint64_t threads = testThreads();
  if (threads < 2) GTEST_SKIP() << "one thread only";
  CostEstimate cost{.picosecondsPerItem = 10'000'000};
  Meeting job;
  makeParallelScheduler(testThreads())->run(job, {.groups = 100'000'000 * threads, .cost = &cost, .ascending = true});
  ASSERT_NE(job.worker, 0u) << "no worker ever helped";
  EXPECT_LE(job.workers.first, job.callers.last);
}

TEST(Scheduler, SectionsAreDoneOnceEach) {
  // 1,003 groups of 2 us on any number of threads, of which some may not come.
  CostEstimate cost{.picosecondsPerItem = 2'000'000};
  for (unsigned threads : {2u, 3u, 7u}) {
    Recorder job(2us);
    makeParallelScheduler(threads)->run(job, {.groups = 1003, .cost = &cost});
    uint64_t next = 0;
    std::ranges::sort(job.tickets, {}, &GroupRange::first);
    for (GroupRange ticket : job.tickets) {
      EXPECT_EQ(ticket.first, next);
      next = ticket.last;
    }
    EXPECT_EQ(next, 1003u);
  }
}

TEST(Scheduler, StopSkipsTheRest) {
  class Stopper : public Job {
  public:
    void work(TicketSource &tickets) override {
      for (GroupRange range; tickets.next(range);) {
        taken += range.last - range.first;
        tickets.stop();
      }
    }
    std::atomic<uint64_t> taken = 0;
  } job;
  testScheduler().run(job, {.groups = 1'000'000});
  EXPECT_LT(job.taken.load(), 1'000'000u);
}

TEST(Scheduler, JobsMayBeGoneWhenALateWorkerComes) {
  // Each job is destroyed at once, while workers invited to it may still be on their way.
  for (int i = 0; i < 2000; ++i) {
    Recorder job(1us);
    testScheduler().run(job, {.groups = 40});
    uint64_t groups = 0;
    for (GroupRange ticket : job.tickets) groups += ticket.last - ticket.first;
    ASSERT_EQ(groups, 40u);
  }
}

// --- seeded ---

/// The groups of a launch in the order in which they ran.
std::vector<uint64_t> orderOf(uint64_t seed, uint64_t launchNumber, uint64_t groups) {
  Recorder job(0ns);
  makeSeededScheduler(seed)->run(job, {.groups = groups, .launchNumber = launchNumber});
  EXPECT_EQ(job.threads, std::set{std::this_thread::get_id()});
  std::vector<uint64_t> order;
  for (GroupRange ticket : job.tickets) {
    EXPECT_EQ(ticket.last, ticket.first + 1);
    order.push_back(ticket.first);
  }
  return order;
}

TEST(SeededScheduler, RunsEveryGroupOnce) {
  for (uint64_t groups : {1, 2, 3, 4, 5, 7, 64, 65, 1000, 20000}) {
    std::vector<uint64_t> order = orderOf(groups, 0, groups);
    std::ranges::sort(order);
    ASSERT_EQ(order.size(), groups);
    for (uint64_t i = 0; i < groups; ++i) ASSERT_EQ(order[i], i) << groups;
  }
}

TEST(SeededScheduler, TheOrderIsThatOfSeedAndLaunch) {
  const std::vector<uint64_t> order = orderOf(5, 0, 100);
  EXPECT_FALSE(std::ranges::is_sorted(order));
  EXPECT_EQ(order, orderOf(5, 0, 100));
  EXPECT_NE(order, orderOf(6, 0, 100));
  EXPECT_NE(order, orderOf(5, 1, 100));
}

TEST(SeededScheduler, ChoosesAmongAnyNumberOfGroups) {
  class Some : public Job {
  public:
    void work(TicketSource &tickets) override {
      for (GroupRange range; tickets.next(range);) {
        taken.insert(range.first);
        if (++count == 1000) tickets.stop();
      }
    }
    std::set<uint64_t> taken;
    int count = 0;
  } job;
  makeSeededScheduler(1)->run(job, {.groups = UINT64_MAX});
  EXPECT_EQ(job.count, 1000);
  EXPECT_EQ(job.taken.size(), 1000u);
  EXPECT_LT(*job.taken.rbegin(), UINT64_MAX);
}

} // namespace
} // namespace us::exec
