// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handles that a library gave out: a wrong one is told, whatever it is.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace us::nvrtc {

template <class Object> class Handles {
public:
  /// The object's handle.
  void *add(const std::shared_ptr<Object> &object) {
    std::scoped_lock lock(mutex_);
    objects_.emplace(object.get(), object);
    return object.get();
  }
  /// Null: it is none.
  std::shared_ptr<Object> find(const void *handle) const {
    std::scoped_lock lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  /// Whoever uses the object now keeps it.
  bool remove(const void *handle) {
    std::scoped_lock lock(mutex_);
    return objects_.erase(handle) != 0;
  }

private:
  mutable std::mutex mutex_;
  std::unordered_map<const void *, std::shared_ptr<Object>> objects_;
};

} // namespace us::nvrtc
