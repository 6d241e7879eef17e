// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flag behind runtimeIsGone: set by an exit handler; forks are watched in runtime/base.
#include "icd/common/runtime_life.h"

#include "runtime/base/fork_guard.h"

#include <atomic>
#include <cstdlib>

namespace us::icd {
namespace {
constinit std::atomic<bool> ending{false};
} // namespace

void watchRuntimeLife() {
  watchFork();
  // An exit handler and not a destructor function: handlers run last registered first, so this one runs before the
  // static objects of the libraries that the runtime works with are destroyed.
  static const bool registered = std::atexit([] { ending.store(true, std::memory_order_relaxed); }) == 0;
  (void)registered;
}

bool runtimeIsGone() { return ending.load(std::memory_order_relaxed) || inForkedChild(); }

bool processIsEnding() { return ending.load(std::memory_order_relaxed) && !inForkedChild(); }

} // namespace us::icd
