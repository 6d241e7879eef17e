// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flag behind runtimeIsGone: set by an exit handler; forks are watched in runtime/base.
#include "icd/common/runtime_life.h"

#include <cstdlib>

namespace us::icd {

constinit std::atomic<bool> detail::isProcessEnding{false};

void watchRuntimeLife() {
  watchFork();
  // An exit handler and not a destructor function: handlers run last registered first, so this one runs before the
  // static objects of the libraries that the runtime works with are destroyed.
  static const bool registered =
      std::atexit([] { detail::isProcessEnding.store(true, std::memory_order_relaxed); }) == 0;
  (void)registered;
}

bool processIsEnding() { return detail::isProcessEnding.load(std::memory_order_relaxed) && !inForkedChild(); }

} // namespace us::icd
