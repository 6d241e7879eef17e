// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/callbacks.h"

#include "runtime/core/runtime.h"

namespace us::core {

void DestructorCallbacks::add(std::function<void()> callback) {
  std::lock_guard hold(mutex_);
  callbacks_.push_back(std::move(callback));
}

void DestructorCallbacks::runAndDelete(Object &owner) {
  {
    std::lock_guard hold(mutex_);
    if (!callbacks_.empty()) owner_ = &owner;
  }
  if (!owner_) {
    delete &owner;
    return;
  }
  runUserCode(*this);
}

void DestructorCallbacks::run() {
  for (;;) {
    std::function<void()> callback;
    {
      std::lock_guard hold(mutex_);
      if (callbacks_.empty()) break;
      callback = std::move(callbacks_.back());
      callbacks_.pop_back();
    }
    callback();
  }
  delete owner_;
}

} // namespace us::core
