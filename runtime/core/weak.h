// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WeakLink<T>: finds an object without keeping it alive. A kernel's arguments must not keep memory objects alive
// (OpenCL 3.0, clSetKernelArg), but an enqueue must be able to take a reference safely.
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/short_lock.h"

#include <mutex>

namespace us::core {

/// The object owns one and calls cut() when its last reference goes (in lastReferenceGone, before deleting itself).
template <class T> class WeakLink final : public Object {
public:
  explicit WeakLink(T *target) : target_(target) {}
  /// A reference to the object, or null if it is gone.
  Ref<T> lock() const {
    std::lock_guard hold(mutex_);
    return target_ && target_->retainIfAlive() ? Ref<T>::adopt(target_) : Ref<T>();
  }
  void cut() {
    std::lock_guard hold(mutex_);
    target_ = nullptr;
  }

private:
  mutable ShortLock mutex_; // guards target_
  T *target_;
};

} // namespace us::core
