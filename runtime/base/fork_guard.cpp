// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fork guard: one flag that the child sets before fork returns.
#include "runtime/base/fork_guard.h"

#include <atomic>
#include <pthread.h>

namespace us {
namespace {
std::atomic<bool> forked = false;
}

void watchFork() {
  // The handler must not outlive this library; the runtime library is never unloaded (linked with -z nodelete).
  static const bool registered = pthread_atfork(nullptr, nullptr, [] { forked.store(true); }) == 0;
  (void)registered;
}

bool inForkedChild() { return forked.load(std::memory_order_relaxed); }

} // namespace us
