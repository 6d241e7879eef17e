// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ObjectPool: storage for objects of one size that come and go by the thousand, from any thread.
#pragma once

#include "runtime/base/short_lock.h"

#include <cstddef>
#include <mutex>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define US_POOL_USES_HEAP 1
#endif
#endif
#ifndef US_POOL_USES_HEAP
#define US_POOL_USES_HEAP 0
#endif

namespace us::core {

/// Keeps some freed objects for the next ones, and gives the rest back: a burst of a million commands leaves little
/// behind. The address sanitizer's build keeps none, so that it sees stale uses.
template <size_t Size> class ObjectPool {
public:
  void *allocate() {
    if (!US_POOL_USES_HEAP) {
      std::lock_guard hold(mutex_);
      if (Slot *slot = free_) {
        free_ = slot->next;
        --kept_;
        return slot;
      }
    }
    return ::operator new(Size);
  }
  void release(void *memory) {
    if (!US_POOL_USES_HEAP) {
      std::lock_guard hold(mutex_);
      if (kept_ < kMostKept) {
        free_ = new (memory) Slot{free_};
        ++kept_;
        return;
      }
    }
    ::operator delete(memory);
  }

private:
  static constexpr size_t kMostKept = 16384; // more than the bursts that programs are measured with
  struct Slot {
    Slot *next;
  };
  static_assert(Size >= sizeof(Slot));

  ShortLock mutex_; // guards free_ and kept_
  Slot *free_ = nullptr;
  size_t kept_ = 0;
};

} // namespace us::core
