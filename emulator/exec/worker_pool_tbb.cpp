// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers from TBB: one arena of our own, so that a program's TBB work and ours never run inside each other.
#include "emulator/exec/worker_pool.h"

#include "emulator/exec/scheduler.h"
#include "emulator/exec/signals.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

namespace us::exec {
namespace {

struct Pool {
  // TBB counts one thread as the caller's; more threads than cores must be allowed explicitly.
  tbb::global_control limit{
      tbb::global_control::max_allowed_parallelism,
      std::max<size_t>(threadCount(), tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism))};
  tbb::task_arena arena{static_cast<int>(threadCount()), 1};
};

} // namespace

void inviteWorkers(unsigned count, void (*function)(void *), void *argument) {
  static Pool &pool = *new Pool;
  for (unsigned i = 0; i < count; ++i)
    pool.arena.enqueue([function, argument] {
      HostSignalsBlocked blocked;
      function(argument);
    });
}

} // namespace us::exec
