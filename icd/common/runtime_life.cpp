// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flag behind runtimeIsGone: set by an exit handler and by the child's side of fork.
#include "icd/common/runtime_life.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <pthread.h>

namespace us::icd {
namespace {
constinit std::atomic<bool> gone{false};
constinit std::once_flag watched;
void markGone() { gone.store(true, std::memory_order_relaxed); }
} // namespace

void watchRuntimeLife() {
  // An exit handler and not a destructor function: handlers run last registered first, so this one runs before the static
  // objects of the libraries that the runtime works with are destroyed.
  std::call_once(watched, [] {
    std::atexit(markGone);
    pthread_atfork(nullptr, nullptr, markGone);
  });
}

bool runtimeIsGone() { return gone.load(std::memory_order_relaxed); }

} // namespace us::icd
