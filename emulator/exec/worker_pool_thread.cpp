// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers as plain threads, parked on a condition variable.
#include "emulator/exec/worker_pool.h"

#include "emulator/exec/signals.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace us::exec {
namespace {

struct Call {
  void (*function)(void *);
  void *argument;
};

struct Pool {
  std::mutex mutex; ///< guards all below
  std::condition_variable wake;
  std::deque<Call> calls;
  unsigned started = 0, idle = 0;

  [[noreturn]] void work() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      wake.wait(lock, [this] { return !calls.empty(); });
      --idle;
      Call call = calls.front();
      calls.pop_front();
      lock.unlock();
      call.function(call.argument);
      lock.lock();
    }
  }
};

} // namespace

void inviteWorkers(unsigned threads, unsigned count, void (*function)(void *), void *argument) noexcept try {
  static Pool &pool = *new Pool;
  std::lock_guard lock(pool.mutex);
  for (unsigned i = 0; i < count; ++i) {
    pool.calls.push_back({function, argument});
    if (pool.idle < pool.calls.size() && pool.started + 1 < threads) {
      HostSignalsBlocked blocked; // inherited
      std::thread([] { pool.work(); }).detach();
      ++pool.started;
    }
    pool.wake.notify_one();
  }
} catch (const std::exception &) {
  return; // no memory, or no thread: what was asked before is served
}

} // namespace us::exec
