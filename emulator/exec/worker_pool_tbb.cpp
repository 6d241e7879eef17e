// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers from TBB: one arena of our own, so that a program's TBB work and ours never run inside each other.
#include "emulator/exec/worker_pool.h"

#include "emulator/exec/scheduler.h"
#include "emulator/exec/signals.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <optional>

namespace us::exec {
namespace {

struct Pool {
  // More threads than cores must be allowed explicitly; fewer must not be imposed on the program's own use of TBB.
  std::optional<tbb::global_control> more;
  std::optional<tbb::task_arena> arena;

  Pool() {
    constexpr auto kParallelism = tbb::global_control::max_allowed_parallelism;
    if (threadCount() > tbb::global_control::active_value(kParallelism)) more.emplace(kParallelism, threadCount());
    // One of the arena's places is reserved for a caller, who never enters it.
    arena.emplace(static_cast<int>(threadCount()), 1);
  }
};

} // namespace

void inviteWorkers(unsigned count, void (*function)(void *), void *argument) {
  static Pool &pool = *new Pool;
  for (unsigned i = 0; i < count; ++i)
    pool.arena->enqueue([function, argument] {
      HostSignalsBlocked blocked;
      function(argument);
    });
}

} // namespace us::exec
