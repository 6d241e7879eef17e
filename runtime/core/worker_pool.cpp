// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/worker_pool.h"

#include "runtime/base/fork_guard.h"
#include "runtime/base/log.h"
#include "runtime/base/own_thread.h"
#include "runtime/core/runtime.h"
#include "runtime/core/ticker.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include <pthread.h>

namespace us::core {
namespace {
constexpr auto kIdleLife = std::chrono::seconds(10);
} // namespace

void WorkerPool::post(std::function<void()> task) {
  bool start = false, backlog = false;
  {
    std::lock_guard hold(mutex_);
    tasks_.push_back(std::move(task));
    if (tasks_.size() > idle_) {
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
    waiting = !tasks_.empty();
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
void WorkerPool::startThread() {
  watchFork();
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  try {
    std::thread([this] { work(); }).detach();
    started_.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::system_error &error) {
    {
      std::lock_guard hold(mutex_);
      --threads_;
    }
    log(LogLevel::Error, std::string("no thread could be started: ") + error.what());
    Ticker::poke(); // tried again at the next tick
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkerPool::work() {
  pthread_setname_np(pthread_self(), name_);
  thisThreadIsOurs();
  std::unique_lock hold(mutex_);
  for (;;) {
    while (tasks_.empty()) {
      ++idle_;
      const bool timedOut = wake_.wait_for(hold, kIdleLife) == std::cv_status::timeout;
      --idle_;
      if (timedOut && tasks_.empty() && threads_ > 1) {
        --threads_;
        return;
      }
    }
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    ++taken_;
    hold.unlock();
    try {
      task();
    } catch (const std::exception &error) {
      log(LogLevel::Error, std::string("a callback threw: ") + error.what());
    } catch (...) {
      log(LogLevel::Error, "a callback threw");
    }
    task = nullptr; // what it held goes before the next wait, with no lock held
    hold.lock();
  }
}

// Never destroyed: commands and callbacks may still run while the process exits, after static objects are gone.
WorkerPool &dispatchers() {
  static WorkerPool &pool =
      *new WorkerPool("us-dispatch", std::clamp<size_t>(std::thread::hardware_concurrency(), 2, 4), 256);
  return pool;
}
WorkerPool &userThreads() {
  static WorkerPool &pool = *new WorkerPool("us-callback", 1, 512);
  return pool;
}
WorkerPool &background() {
  static WorkerPool &pool =
      *new WorkerPool("us-build", std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 8), 8);
  return pool;
}

bool runtimeDead() { return inForkedChild(); }
std::unexpected<Error> failDead() {
  return fail(ErrorCode::OutOfResources, "this process was forked from one that used the device; it cannot use it");
}
void runUserCode(std::function<void()> task) { userThreads().post(std::move(task)); }
void runInBackground(std::function<void()> task) { background().post(std::move(task)); }
size_t runtimeThreads() {
  return dispatchers().started() + userThreads().started() + background().started() + Ticker::started();
}

} // namespace us::core
