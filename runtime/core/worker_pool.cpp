// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/worker_pool.h"

#include "runtime/base/fork_guard.h"
#include "runtime/base/log.h"
#include "runtime/base/own_thread.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/core/runtime.h"
#include "runtime/core/ticker.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <new>
#include <thread>

#include <pthread.h>

namespace us::core {
namespace {
constexpr auto kIdleLife = std::chrono::seconds(10);

/// What a thread of ours tells about an exception; never throws itself.
void logException(const char *what) noexcept {
  (void)withoutExceptions([&]() -> Expected<void> {
    try {
      throw;
    } catch (const std::exception &error) {
      log(LogLevel::Error, std::string(what) + ": " + error.what());
    } catch (...) {
      log(LogLevel::Error, what);
    }
    return {};
  });
}

struct FunctionTask final : Task {
  explicit FunctionTask(std::function<void()> function) : function(std::move(function)) {}
  void run() override {
    const std::unique_ptr<FunctionTask> self(this);
    function();
  }
  const std::function<void()> function;
};
} // namespace

void WorkerPool::post(Task &task) noexcept {
  bool start = false, backlog = false;
  {
    std::lock_guard hold(mutex_);
    task.next_ = nullptr;
    (last_ ? last_->next_ : first_) = &task;
    last_ = &task;
    if (++waiting_ > idle_) {
      if (threads_ < eager_) {
        ++threads_;
        start = true;
      } else {
        backlog = true;
      }
    }
    if (idle_ > 0) wake_.notify_one();
  }
  if (start) startThread();
  if (backlog) Ticker::poke();
}

bool WorkerPool::tick() {
  bool start = false, waiting;
  {
    std::lock_guard hold(mutex_);
    waiting = waiting_ != 0;
    if (waiting && waitedAtTick_ && taken_ == takenAtTick_ && idle_ == 0 && threads_ < limit_) {
      ++threads_;
      start = true;
    }
    waitedAtTick_ = waiting;
    takenAtTick_ = taken_;
  }
  if (start) startThread();
  return waiting;
}

// The application's signals are for the application's threads: ours block them all, but those a fault raises.
void WorkerPool::startThread() noexcept {
  watchFork();
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  try {
    std::thread([this] { work(); }).detach();
    started_.fetch_add(1, std::memory_order_relaxed);
  } catch (...) {
    {
      std::lock_guard hold(mutex_);
      --threads_;
    }
    logException("no thread could be started");
    Ticker::poke(); // tried again at the next tick
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkerPool::work() {
  pthread_setname_np(pthread_self(), name_);
  thisThreadIsOurs();
  std::unique_lock hold(mutex_);
  for (;;) {
    while (!first_) {
      ++idle_;
      const bool timedOut = wake_.wait_for(hold, kIdleLife) == std::cv_status::timeout;
      --idle_;
      if (timedOut && !first_ && threads_ > 1) {
        --threads_;
        return;
      }
    }
    Task *const task = first_;
    first_ = task->next_;
    if (!first_) last_ = nullptr;
    --waiting_;
    ++taken_;
    hold.unlock();
    try {
      task->run();
    } catch (...) {
      logException("a callback threw");
    }
    hold.lock();
  }
}

namespace {
// Never destroyed: commands and callbacks may still run while the process exits, after static objects are gone. In
// memory that is there already, because a pool may first be needed where nothing may fail.
template <int Which> WorkerPool &lastingPool(const char *name, size_t eager, size_t limit) {
  alignas(WorkerPool) static std::byte place[sizeof(WorkerPool)];
  static WorkerPool &pool = *new (place) WorkerPool(name, eager, limit);
  return pool;
}
size_t processors(size_t least, size_t most) {
  return std::clamp<size_t>(std::thread::hardware_concurrency(), least, most);
}
} // namespace

WorkerPool &dispatchers() { return lastingPool<0>("us-dispatch", processors(2, 4), 256); }
WorkerPool &userThreads() { return lastingPool<1>("us-callback", 1, 512); }
WorkerPool &background() { return lastingPool<2>("us-build", processors(1, 8), 8); }

bool runtimeDead() { return inForkedChild(); }
std::unexpected<Error> failDead() {
  return fail(ErrorCode::OutOfResources, "this process was forked from one that used the device; it cannot use it");
}
void runUserCode(Task &task) { userThreads().post(task); }
void runUserCode(std::function<void()> task) { runUserCode(*new FunctionTask(std::move(task))); }
void runInBackground(std::function<void()> task) { background().post(*new FunctionTask(std::move(task))); }
size_t runtimeThreads() {
  return dispatchers().started() + userThreads().started() + background().started() + Ticker::started();
}

} // namespace us::core
