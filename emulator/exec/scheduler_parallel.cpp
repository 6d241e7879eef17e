// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parallel scheduler: an ascending ticket counter that the calling thread works off itself. Others are invited only
// when there seems to be enough left to pay for waking them (about 17 us at best), and nobody waits for one that has
// not come.
#include "emulator/exec/scheduler.h"

#include "emulator/exec/worker_pool.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <linux/futex.h>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace us::exec {
namespace {

constexpr uint64_t kPicosecond = 1, kNanosecond = 1000 * kPicosecond, kMicrosecond = 1000 * kNanosecond;
/// Workers are invited for more than this.
constexpr uint64_t kWorthInviting = 10 * kMicrosecond;
/// Workers are invited when the caller has been busy for so long and groups are left, whatever the estimate said.
constexpr uint64_t kBusyForLong = 15 * kMicrosecond;
/// What a work-item of an unknown kernel is taken to cost, until one has run.
constexpr uint64_t kAssumedItem = 40 * kNanosecond;
/// One ticket that took so long tells enough; else two are needed before an estimate of this launch is believed.
constexpr uint64_t kTellsEnough = 100 * kMicrosecond;
/// Taken as one ticket.
constexpr uint64_t kNotWorthLooking = 1 * kMicrosecond;
/// What a ticket should take.
constexpr uint64_t kTicketTime = 30 * kMicrosecond;

uint64_t nowPicoseconds() { return monotonicNanoseconds() * kNanosecond; }

/// The counter, shared by the participants of one run.
struct Counter {
  std::atomic<uint64_t> next{0};
  uint64_t total = 0;
  std::atomic<uint64_t> groupTime{0};    ///< picoseconds
  std::atomic<bool> assumed{false};      ///< groupTime is a guess: the first measurement replaces it
  std::atomic<unsigned> participants{1}; ///< the caller, and as many as were invited
};

/// What invited workers hold on to: it outlives the run, the job does not.
class Team {
public:
  Team(Job &job, Counter &counter, unsigned invited) : job_(&job), counter_(&counter), owners_(invited + 1) {}

  /// A worker's turn: works on the job if it is still open.
  void join();
  /// The caller's last act: lets nobody in any more and waits for those inside.
  void closeAndWait();

private:
  void drop() {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  static constexpr uint32_t kClosed = 0x80000000;
  Job *const job_;
  Counter *const counter_;
  std::atomic<uint32_t> state_{0}; ///< kClosed, and how many are inside
  std::atomic<uint32_t> owners_;
};

/// One participant's view of the counter.
class Taker : public TicketSource {
public:
  explicit Taker(Counter &counter) : counter_(counter) {}

  bool next(GroupRange &range) final {
    if (timed_) {
      uint64_t now = nowPicoseconds();
      if (taken_)
        learn(now - last_);
      else
        start_ = now;
      last_ = now;
    }
    const uint64_t at = counter_.next.load(std::memory_order_relaxed);
    if (at >= counter_.total) return false;
    consider(counter_.total - at);
    uint64_t size = ticketSize(counter_.total - at);
    range.first = counter_.next.fetch_add(size, std::memory_order_relaxed);
    if (range.first >= counter_.total) return false;
    range.last = std::min(range.first + size, counter_.total);
    taken_ = range.last - range.first;
    done_ += taken_;
    ++tickets_;
    return true;
  }
  void stop() final { counter_.next.store(counter_.total, std::memory_order_relaxed); }

protected:
  /// Called before a ticket is taken, with the groups that are left.
  virtual void consider(uint64_t left) {}

  uint64_t groupTime() const { return counter_.groupTime.load(std::memory_order_relaxed); }

  Counter &counter_;
  bool timed_ = true;
  uint64_t start_ = 0, last_ = 0; ///< picoseconds
  uint64_t taken_ = 0, done_ = 0, tickets_ = 0;

private:
  void learn(uint64_t elapsed) {
    const uint64_t each = std::max<uint64_t>(elapsed / taken_, 1), known = groupTime();
    if (counter_.assumed.load(std::memory_order_relaxed)) {
      counter_.assumed.store(false, std::memory_order_relaxed);
      return counter_.groupTime.store(each, std::memory_order_relaxed);
    }
    // What is cold is slow: the estimate falls at once and rises slowly.
    counter_.groupTime.store(known < each ? known + (each - known) / 4 : each, std::memory_order_relaxed);
  }
  uint64_t ticketSize(uint64_t left) const {
    uint64_t each = groupTime();
    if (each <= kNotWorthLooking && left * each <= kNotWorthLooking) return left;
    // Tickets shrink towards the end, so that the participants finish together; and a lone caller looks at the clock
    // a few times even when the estimate says that all of it fits into one ticket.
    uint64_t share = (left + 1) / (2 * uint64_t{counter_.participants.load(std::memory_order_relaxed)});
    return std::clamp<uint64_t>(share, 1, std::max<uint64_t>(kTicketTime / each, 1));
  }
};

void Team::join() {
  uint32_t state = state_.load(std::memory_order_relaxed);
  do {
    if (state & kClosed) return drop();
  } while (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire));
  {
    Taker taker(*counter_);
    job_->work(taker);
  }
  if (state_.fetch_sub(1, std::memory_order_release) - 1 == kClosed)
    syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  drop();
}

void Team::closeAndWait() {
  uint32_t state = state_.fetch_or(kClosed, std::memory_order_acquire) | kClosed;
  while (state != kClosed) {
    syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, state, nullptr, nullptr, 0);
    state = state_.load(std::memory_order_acquire);
  }
  drop();
}

/// The calling thread's view: it decides when to invite others.
class CallerTaker final : public Taker {
public:
  /// Of single groups, whose cost is known, only those that are `measured` are looked at.
  CallerTaker(Counter &counter, Job &job, const JobShape &shape, unsigned threads, bool measured)
      : Taker(counter), job_(job), shape_(shape), poolThreads_(threads) {
    counter.total = shape.groups;
    uint64_t perItem = shape.cost ? shape.cost->picosecondsPerItem.load(std::memory_order_relaxed) : 0;
    // Saturates: a wrong estimate only changes ticket sizes.
    counter.assumed.store(perItem == 0, std::memory_order_relaxed);
    const uint64_t item = perItem ? std::min(perItem, 1000 * kMicrosecond) : kAssumedItem;
    counter.groupTime.store(item * std::clamp<uint64_t>(shape.itemsPerGroup, 1, 1 << 20), std::memory_order_relaxed);
    estimated_ = perItem != 0;
    // There is nobody to invite to a single group, and looking at the clock takes as long as a small one.
    timed_ = !estimated_ || shape.groups > 1 || measured;
    threads_ = shape.maxThreads ? std::min(threads, shape.maxThreads) : threads;
  }

  /// After the job's work on this thread: waits for the others and remembers the cost.
  void finish() {
    if (team_) team_->closeAndWait();
    if (!shape_.cost || !done_ || !timed_) return;
    uint64_t each = std::max<uint64_t>((last_ - start_) / (done_ * std::max<uint64_t>(shape_.itemsPerGroup, 1)), 1);
    auto &stored = shape_.cost->picosecondsPerItem;
    uint64_t old = stored.load(std::memory_order_relaxed), average = old ? (3 * old + each) / 4 : each;
    if (average != old) stored.store(average, std::memory_order_relaxed);
  }

private:
  void consider(uint64_t left) override {
    if (team_ || threads_ < 2 || left < 2) return;
    // A first ticket may have been slow because all was cold.
    if (!estimated_ && tickets_ == 1 && last_ - start_ < kTellsEnough) return;
    // Capped before multiplying: only how often it exceeds the threshold matters.
    uint64_t useful = std::min(groupTime(), kWorthInviting) * std::min<uint64_t>(left, 1 << 20) / kWorthInviting;
    if (last_ - start_ > kBusyForLong) useful = std::max<uint64_t>(useful, 1);
    if (!useful) return;
    unsigned count = static_cast<unsigned>(std::min<uint64_t>({useful, left - 1, threads_ - 1}));
    // Without memory for a team the caller takes every ticket itself.
    team_ = new (std::nothrow) Team(job_, counter_, count);
    if (!team_) return;
    counter_.participants.store(count + 1, std::memory_order_relaxed);
    inviteWorkers(poolThreads_, count, [](void *team) { static_cast<Team *>(team)->join(); }, team_);
  }

  Job &job_;
  const JobShape &shape_;
  Team *team_ = nullptr;
  const unsigned poolThreads_;
  unsigned threads_ = 1; ///< of these, that may take part
  bool estimated_ = false;
};

class ParallelScheduler final : public Scheduler {
public:
  explicit ParallelScheduler(unsigned threads) : threads_(threads) {}
  void run(Job &job, const JobShape &shape) override {
    Counter counter;
    CallerTaker taker(counter, job, shape, threads_, measuresThisOne());
    job.work(taker);
    taker.finish();
  }

private:
  /// True for one of sixteen calls or so: a count that is lost between threads does no harm.
  bool measuresThisOne() {
    const uint32_t count = calls_.load(std::memory_order_relaxed);
    calls_.store(count + 1, std::memory_order_relaxed);
    return count % 16 == 0;
  }

  const unsigned threads_;
  std::atomic<uint32_t> calls_{0};
};

} // namespace

std::unique_ptr<Scheduler> makeParallelScheduler(unsigned threads) {
  return std::make_unique<ParallelScheduler>(threads);
}

} // namespace us::exec
