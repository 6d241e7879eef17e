// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only way into execution: a scheduler hands out the work-groups of a job to the threads that work on it, and says
// in which order they, and in the fiber tier their work-items, get their turns.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

namespace us::exec {

/// Work-groups [first, last).
struct GroupRange {
  uint64_t first = 0, last = 0;
};

/// What a kernel's work-items cost, as far as earlier launches showed. Kept by whoever keeps the kernel.
struct CostEstimate {
  std::atomic<uint64_t> picosecondsPerItem{0}; ///< 0: unknown
  std::atomic<uint64_t> waits{0};              ///< of work-items with stacks of their own, for others, all together
};

/// Where one participant of a job takes its groups from; used by that thread only, outside of kernels.
class TicketSource {
public:
  virtual ~TicketSource() = default;
  /// Takes the next groups. From the parallel scheduler they ascend over all participants if the job says so: then a
  /// group may wait for a lower one in every tier. Other schedulers may choose otherwise. False: there are none left.
  virtual bool next(GroupRange &range) = 0;
  /// Ends the job early: no participant gets further groups.
  virtual void stop() = 0;
  /// Fiber tier: which of so many groups that have begun and wait goes on. 0 is the one that has waited longest.
  virtual size_t chooseWaiting(size_t count) { return 0; }
};

class Job {
public:
  virtual ~Job() = default;
  /// Runs on every thread that takes part, at the same time: takes tickets until there are none.
  virtual void work(TicketSource &tickets) = 0;
};

struct JobShape {
  uint64_t groups = 0, itemsPerGroup = 1;
  CostEstimate *cost = nullptr; ///< read and updated; may be null
  unsigned maxThreads = 0;      ///< at most so many take part; 0: as many as there are
  uint64_t launchNumber = 0;
  bool ascending = false; ///< groups may wait for lower ones: they are to ascend over all participants
};

/// One turn of each work-item of a group that can go on, between two points where all wait or have ended.
struct Round {
  uint64_t launchNumber = 0, group = 0, number = 0;
};

/// Whether a job is for one thread only.
enum class Alone : uint8_t {
  No,
  Yes,
  Timed, ///< and it is to be said what it took
};

class Scheduler {
public:
  virtual ~Scheduler() = default;
  /// Runs the job to its end: on the calling thread, helped by others if it seems worth it.
  virtual void run(Job &job, const JobShape &shape) = 0;
  /// Whether the caller does best to do all of the job at once, as one ticket, instead of having it run.
  virtual Alone runsAlone(const JobShape &shape) { return Alone::No; }
  /// One that was Timed has been done, from then to then on the monotonic clock (nanoseconds).
  virtual void ranAlone(const JobShape &shape, uint64_t begin, uint64_t end) {}
  /// Fiber tier: may permute the order in which the items of a group get their turns. It holds the linear order.
  /// False: it stays so in all rounds of the group.
  virtual bool orderItems(const Round &round, std::span<uint32_t> order) { return false; }
};

/// On so many threads at once, callers among them: whoever is free takes the next groups. Starts none before one is
/// needed.
std::unique_ptr<Scheduler> makeParallelScheduler(unsigned threads);
/// On the calling thread alone, in an order of groups and work-items that depends on the seed and the launch's number
/// only.
std::unique_ptr<Scheduler> makeSeededScheduler(uint64_t seed);

} // namespace us::exec
