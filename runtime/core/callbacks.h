// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destructor callbacks: a stack of functions the application wants called when an object goes.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace us::core {

class DestructorCallbacks {
public:
  void add(std::function<void()> callback);
  bool empty() const;
  /// Calls them in reverse order of registration; each once.
  void runAll();

private:
  mutable std::mutex mutex_; // guards callbacks_
  std::vector<std::function<void()>> callbacks_;
};

} // namespace us::core
