// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TBB's workers, in arenas of our own, so that a program's TBB work and ours never run inside each other. A worker is a
// task that stays while it is called often: TBB's own way to wait costs a hundred microseconds of its core each time.
#include "emulator/exec/signals.h"
#include "emulator/exec/worker_threads.h"
#include "runtime/base/fork_guard.h"

#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <optional>

namespace us::exec {
namespace {

struct Pool {
  // More threads than cores must be allowed explicitly; fewer must not be imposed on the program's own use of TBB.
  std::optional<tbb::global_control> more;
  std::optional<tbb::task_arena> arena;

  explicit Pool(unsigned threads) {
    constexpr auto kParallelism = tbb::global_control::max_allowed_parallelism;
    if (threads > tbb::global_control::active_value(kParallelism)) more.emplace(kParallelism, threads);
    // One of the arena's places is reserved for a caller, who never enters it.
    arena.emplace(static_cast<int>(threads), 1);
  }
};

/// TBB's static objects go while our threads still run launches; whoever touches TBB after that calls into what is no
/// more.
struct ExitGuard {
  std::mutex mutex; // guards `ending`, and TBB while it is called
  bool ending = false;
};

ExitGuard &exitGuard() {
  static ExitGuard &guard = *new ExitGuard;
  return guard;
}

/// Registered when the library is loaded, which is after TBB: handlers run last registered first, so this one runs
/// before TBB's destructors. It waits for an invitation that is under way. (The first invitation would be too late to
/// register: it may come when the process ends already.)
[[gnu::constructor]] void watchExit() {
  (void)exitGuard();
  std::atexit([] {
    // A forked child has the mutex as it was at the fork, perhaps held by a thread that it does not have; and nobody in
    // it invites.
    if (inForkedChild()) return;
    std::lock_guard hold(exitGuard().mutex);
    exitGuard().ending = true;
  });
}

} // namespace

// A program's own TBB work is not to miss them.
const uint64_t kLongestSleep = 10'000'000;

bool startWorker(unsigned threads, std::function<void()> work) noexcept try {
  watchFork(); // before the mutex may be found held
  ExitGuard &guard = exitGuard();
  std::lock_guard hold(guard.mutex);
  if (guard.ending) return false;                     // the caller takes every ticket itself
  static auto &pools = *new std::map<unsigned, Pool>; // guarded by the mutex
  pools.try_emplace(threads, threads).first->second.arena->enqueue([work = std::move(work)] {
    HostSignalsBlocked blocked;
    work();
  });
  return true;
} catch (const std::exception &) { // of TBB, for want of memory
  return false;
}

} // namespace us::exec
