// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fork guard: one flag that the child sets before fork returns.
#include "runtime/base/fork_guard.h"

#include <pthread.h>

namespace us {

constinit std::atomic<bool> detail::isForkedChild{false};

void watchFork() {
  // The handler must not outlive this library; the runtime library is never unloaded (linked with -z nodelete).
  static const bool registered = pthread_atfork(nullptr, nullptr, [] { detail::isForkedChild.store(true); }) == 0;
  (void)registered;
}

} // namespace us
