// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/callbacks.h"

namespace us::core {

void DestructorCallbacks::add(std::function<void()> callback) {
  std::lock_guard hold(mutex_);
  callbacks_.push_back(std::move(callback));
}

bool DestructorCallbacks::empty() const {
  std::lock_guard hold(mutex_);
  return callbacks_.empty();
}

void DestructorCallbacks::runAll() {
  for (;;) {
    std::function<void()> callback;
    {
      std::lock_guard hold(mutex_);
      if (callbacks_.empty()) return;
      callback = std::move(callbacks_.back());
      callbacks_.pop_back();
    }
    callback();
  }
}

} // namespace us::core
