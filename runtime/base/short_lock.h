// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ShortLock: a mutex for sections of some dozen instructions that two threads enter a million times a second (the
// application enqueues, a dispatcher runs), or a dozen at the same moment (workers that begin a launch). Whoever finds
// it taken looks again for about a microsecond before it sleeps: sleeping and being woken costs many times what the
// section takes.
#pragma once

#include <atomic>
#include <cstdint>

namespace us {

class ShortLock {
public:
  void lock() {
    uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed))
      lockSlowly();
  }
  bool try_lock() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) state_.notify_one();
  }

private:
  static constexpr uint32_t kFree = 0, kHeld = 1, kAwaited = 2; ///< kAwaited: held, and somebody may be asleep
  void lockSlowly();

  std::atomic<uint32_t> state_{kFree};
};

} // namespace us
