// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destructor callbacks: a stack of functions the application wants called when an object goes.
#pragma once

#include "runtime/base/ref.h"
#include "runtime/core/task.h"

#include <functional>
#include <mutex>
#include <vector>

namespace us::core {

class DestructorCallbacks final : private Task {
public:
  void add(std::function<void()> callback);
  /// Deletes the object, which this is a part of; where there are callbacks, a thread of the runtime does, after it has
  /// called them in reverse order of registration, each once.
  void runAndDelete(Object &owner);

private:
  void run() override;

  std::mutex mutex_; // guards callbacks_
  std::vector<std::function<void()>> callbacks_;
  Object *owner_ = nullptr;
};

} // namespace us::core
