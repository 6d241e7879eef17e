// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SlabPool: storage for objects of one size that come and go by the thousand, from any thread.
#pragma once

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

/// Never gives memory back to the system. The address sanitizer's build uses the heap, so that it sees stale uses.
template <size_t Size, size_t Alignment> class SlabPool {
public:
  void *allocate() {
    if (US_POOL_USES_HEAP) return ::operator new(Size, std::align_val_t(Alignment));
    std::lock_guard hold(mutex_);
    if (!free_) addSlab();
    Slot *slot = free_;
    free_ = slot->next;
    return slot;
  }
  void release(void *memory) {
    if (US_POOL_USES_HEAP) return ::operator delete(memory, std::align_val_t(Alignment));
    std::lock_guard hold(mutex_);
    free_ = new (memory) Slot{free_};
  }

private:
  static constexpr size_t kSlots = 64;
  struct Slot {
    Slot *next;
  };
  static_assert(Size >= sizeof(Slot) && Size % Alignment == 0);

  void addSlab() {
    auto *slab = static_cast<std::byte *>(::operator new(Size * kSlots, std::align_val_t(Alignment)));
    for (size_t i = kSlots; i-- > 0;) free_ = new (slab + i * Size) Slot{free_};
  }

  std::mutex mutex_; // guards free_
  Slot *free_ = nullptr;
};

} // namespace us::core
