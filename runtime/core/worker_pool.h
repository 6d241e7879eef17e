// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WorkerPool: threads of the runtime that take tasks in order. Started when first needed, never joined: they may run
// until the process is gone.
#pragma once

#include "runtime/core/task.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace us::core {

class WorkerPool {
public:
  /// Up to `eager` threads start as tasks come; more (up to `limit`) only when none of them takes a task for a while,
  /// which means that they are blocked.
  WorkerPool(const char *name, size_t eager, size_t limit) : name_(name), eager_(eager), limit_(limit) {}

  /// Never waits for a task, allocates nothing for it, and throws nothing: where no thread can be started, one is at a
  /// later tick.
  void post(Task &task) noexcept;
  /// Called about every millisecond while tasks may be waiting: starts another thread if none was taken since the last
  /// call. True if tasks are waiting.
  bool tick();
  size_t started() const { return started_.load(std::memory_order_relaxed); }

private:
  void startThread() noexcept;
  void work();

  const char *const name_;
  const size_t eager_, limit_;
  std::atomic<size_t> started_{0};

  std::mutex mutex_; // guards everything below
  std::condition_variable wake_;
  Task *first_ = nullptr, *last_ = nullptr;
  size_t waiting_ = 0; ///< tasks
  size_t threads_ = 0, idle_ = 0;
  size_t taken_ = 0, takenAtTick_ = 0;
  bool waitedAtTick_ = false;
};

/// The pools of the process, made when first used and never destroyed.
WorkerPool &dispatchers(); ///< run commands that nobody waits for
WorkerPool &userThreads(); ///< run the application's callbacks and native kernels
WorkerPool &background();  ///< builds

} // namespace us::core
