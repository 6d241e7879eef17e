// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only way into execution: a scheduler hands out the work-groups of a job to the threads that work on it.
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
};

/// Where one participant of a job takes its groups from; used by that thread only, outside of kernels.
class TicketSource {
public:
  virtual ~TicketSource() = default;
  /// Takes the next groups, in ascending order over all participants. False: there are none left.
  virtual bool next(GroupRange &range) = 0;
  /// Ends the job early: no participant gets further groups.
  virtual void stop() = 0;
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
};

class Scheduler {
public:
  virtual ~Scheduler() = default;
  /// Runs the job to its end: on the calling thread, helped by others if it seems worth it.
  virtual void run(Job &job, const JobShape &shape) = 0;
  /// Fiber tier: may permute the order in which the items of a group get their turns. False: linear order.
  virtual bool orderItems(uint64_t launchNumber, uint64_t group, std::span<uint32_t> order) { return false; }
};

/// On so many threads at once, callers among them: whoever is free takes the next groups. Starts none before one is
/// needed.
std::unique_ptr<Scheduler> makeParallelScheduler(unsigned threads);

} // namespace us::exec
