// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/short_lock.h"

#include <immintrin.h>

namespace us {
namespace {
constexpr int kLooks = 32; // a pause takes 20 to 40 ns
} // namespace

void ShortLock::lockSlowly() {
  for (int look = 0; look < kLooks; ++look) {
    _mm_pause();
    uint32_t expected = kFree;
    if (state_.load(std::memory_order_relaxed) == kFree &&
        state_.compare_exchange_weak(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed))
      return;
  }
  // Whoever has slept cannot know whether others still do, and leaves the mark.
  while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree)
    state_.wait(kAwaited, std::memory_order_relaxed);
}

} // namespace us
