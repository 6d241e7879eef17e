// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which handles are valid. A handle is the address of its object, with a mark where a real driver's handles may come,
// and is looked up before the object is touched: a wild or stale handle is an error, not a crash.
#pragma once

#include "icd/cuda/api.h"
#include "runtime/base/ref.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace us::cuda {

/// The bits that tell our handles from a real driver's, which are addresses and have none of them; and what they are in
/// ours. (table.cpp: 0 in a library that forwards to nobody.)
inline constexpr uint64_t kHandleBits = uint64_t(3) << 62;
extern const uint64_t kHandleMark;

/// The handle of an object that is, or will be, in a set of these.
template <class Handle> Handle handleTo(const Object &object) {
  return reinterpret_cast<Handle>(reinterpret_cast<uint64_t>(&object) | kHandleMark);
}

template <class T, class Handle> class HandleSet {
public:
  Handle add(Ref<T> object) {
    const Handle handle = handleTo<Handle>(*object);
    std::lock_guard hold(mutex_);
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  /// Null if the handle is not valid.
  Ref<T> find(Handle handle) const {
    std::shared_lock hold(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  /// The object, no longer valid as a handle; null if it was not.
  Ref<T> remove(Handle handle) {
    std::lock_guard hold(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    Ref<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  std::vector<Ref<T>> all() const {
    std::shared_lock hold(mutex_);
    std::vector<Ref<T>> found;
    for (const auto &[handle, object] : objects_) found.push_back(object);
    return found;
  }
  /// Those that were removed; they are destroyed with no lock held.
  template <class Test> std::vector<Ref<T>> removeIf(Test test) {
    std::vector<Ref<T>> gone;
    std::lock_guard hold(mutex_);
    for (auto at = objects_.begin(); at != objects_.end();) {
      const auto next = std::next(at);
      if (test(*at->second)) gone.push_back(std::move(objects_.extract(at).mapped()));
      at = next;
    }
    return gone;
  }

private:
  mutable std::shared_mutex mutex_; // guards objects_
  std::unordered_map<Handle, Ref<T>> objects_;
};

} // namespace us::cuda
