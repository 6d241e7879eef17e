// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker that has nothing to do sleeps at once, unless it was called again soon the last time: then it waits awake
// first, for about as long as it takes to be woken. One that has slept for long goes back to whom its thread is
// (docs/decisions/0059-who-is-invited.md).
#include "emulator/exec/worker_pool.h"

#include "emulator/exec/futex.h"
#include "emulator/exec/worker_threads.h"
#include "runtime/base/short_lock.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace us::exec {
namespace {

/// Nanoseconds for which a worker waits awake, and within which it is called soon.
constexpr uint64_t kAwake = 25'000, kSoon = 50'000;

thread_local unsigned numberOfThread = 0;

struct Call {
  void (*function)(void *) = nullptr;
  void *argument = nullptr;
};

class Worker {
public:
  /// By who has taken it off the pool's lists.
  void call(Call next) {
    next_ = next;
    if (state_.exchange(kCalled, std::memory_order_acq_rel) == kAsleep) futexWake(state_);
  }

  // By its thread
  bool waitsAwake() const { return isCalledSoon_; }
  /// False: the time is over.
  bool waitAwake() {
    return spinFor(kAwake, [this] { return state_.load(std::memory_order_acquire) == kCalled; });
  }
  /// False: nobody has called for so many nanoseconds.
  bool sleep(uint64_t longest) {
    uint32_t idle = kIdle;
    (void)state_.compare_exchange_strong(idle, kAsleep, std::memory_order_acquire);
    const uint64_t begin = monotonicNanoseconds();
    while (state_.load(std::memory_order_acquire) == kAsleep) {
      const uint64_t slept = monotonicNanoseconds() - begin;
      if (slept >= longest) return false;
      futexWait(state_, kAsleep, longest - slept);
    }
    return true;
  }
  Call take(uint64_t idleSince) {
    isCalledSoon_ = monotonicNanoseconds() - idleSince < kSoon;
    state_.store(kIdle, std::memory_order_relaxed);
    return next_;
  }

private:
  static constexpr uint32_t kIdle = 0, kAsleep = 1, kCalled = 2;
  std::atomic<uint32_t> state_{kIdle};
  bool isCalledSoon_ = false;
  Call next_;
};

class WorkerPool {
public:
  bool hasAwake() const { return awakeCount_.load(std::memory_order_relaxed) != 0; }
  unsigned invite(const Invitation &invitation);

private:
  void work(Call first);
  std::optional<Call> nextCall(Worker &self);
  bool leave(Worker &self);
  bool makeRoom();
  bool start(unsigned threads, Call call);
  void noteAwake() { awakeCount_.store(static_cast<unsigned>(awake_.size()), std::memory_order_relaxed); }

  ShortLock mutex_;                      ///< guards the next four
  std::vector<Worker *> awake_, asleep_; ///< that nobody has called; who came last is called first
  std::vector<bool> numbers_;            ///< of those that have begun, from 1; room as for the lists
  size_t workers_ = 0;                   ///< for as many the lists have room
  std::atomic<unsigned> awakeCount_{0};
};

unsigned WorkerPool::invite(const Invitation &invitation) {
  const Call call{invitation.function, invitation.argument};
  Worker *called[64]; // whoever comes invites more
  unsigned count = 0, toStart = 0;
  {
    std::lock_guard hold(mutex_);
    const size_t busy = workers_ - awake_.size() - asleep_.size() + 1;
    const auto room = static_cast<unsigned>(invitation.threads > busy ? invitation.threads - busy : 0);
    const unsigned most = std::min({invitation.awake, room, static_cast<unsigned>(std::size(called))});
    const auto take = [&](std::vector<Worker *> &from, unsigned until) {
      for (; count < until && !from.empty(); from.pop_back()) called[count++] = from.back();
    };
    take(awake_, most);
    take(asleep_, std::min(invitation.anyway, most));
    noteAwake();
    for (const unsigned wanted = std::min(invitation.anyway, most); count + toStart < wanted && makeRoom();) ++toStart;
  }
  for (Worker *worker : std::span(called, count)) worker->call(call);
  for (; toStart > 0; --toStart) count += start(invitation.threads, call);
  return count;
}

/// For one more worker; with the mutex held.
bool WorkerPool::makeRoom() try {
  awake_.reserve(workers_ + 1);
  asleep_.reserve(workers_ + 1);
  if (numbers_.size() < workers_ + 2) numbers_.resize(workers_ + 2);
  ++workers_;
  return true;
} catch (const std::exception &) {
  return false; // no memory
}

/// For whom there is room.
bool WorkerPool::start(unsigned threads, Call call) {
  if (startWorker(threads, [this, call] { work(call); })) return true;
  std::lock_guard hold(mutex_);
  --workers_;
  return false;
}

void WorkerPool::work(Call first) {
  Worker self;
  {
    std::lock_guard hold(mutex_);
    const auto free = std::find(numbers_.begin() + 1, numbers_.end(), false);
    *free = true;
    numberOfThread = static_cast<unsigned>(free - numbers_.begin());
  }
  for (std::optional<Call> call = first; call; call = nextCall(self)) call->function(call->argument);
}

/// False: somebody is about to call.
bool WorkerPool::leave(Worker &self) {
  std::lock_guard hold(mutex_);
  if (!std::erase(asleep_, &self)) return false;
  --workers_;
  numbers_[std::exchange(numberOfThread, 0)] = false;
  return true;
}

std::optional<Call> WorkerPool::nextCall(Worker &self) {
  const uint64_t idleSince = monotonicNanoseconds();
  bool awake = self.waitsAwake();
  {
    std::lock_guard hold(mutex_);
    (awake ? awake_ : asleep_).push_back(&self);
    if (awake) noteAwake();
  }
  if (awake && !self.waitAwake()) {
    std::lock_guard hold(mutex_);
    // Not there: somebody is about to call.
    if (std::erase(awake_, &self)) asleep_.push_back(&self);
    noteAwake();
    awake = false;
  }
  if (!awake && !self.sleep(kLongestSleep)) {
    if (leave(self)) return std::nullopt;
    (void)self.sleep(UINT64_MAX);
  }
  return self.take(idleSince);
}

WorkerPool &workerPool() {
  static WorkerPool &instance = *new WorkerPool; // its workers are never joined
  return instance;
}

} // namespace

unsigned workerNumber() noexcept { return numberOfThread; }

bool workersAreAwake() noexcept { return workerPool().hasAwake(); }

unsigned inviteWorkers(const Invitation &invitation) noexcept { return workerPool().invite(invitation); }

} // namespace us::exec
