// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting for a word of memory: asleep, and for a short while awake.
#pragma once

#include "runtime/base/clock.h"

#include <atomic>
#include <cstdint>
#include <ctime>
#include <immintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace us::exec {

/// Sleeps as long as the word has this value, but no longer than so many nanoseconds; may return earlier.
inline void futexWait(std::atomic<uint32_t> &word, uint32_t value, uint64_t longest = UINT64_MAX) {
  const timespec time{static_cast<time_t>(longest / 1'000'000'000), static_cast<long>(longest % 1'000'000'000)};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, longest == UINT64_MAX ? nullptr : &time, nullptr, 0);
}
/// Wakes one thread that sleeps on the word. The word may be gone already: nothing is read of it.
inline void futexWake(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

/// Looks again and again whether it is done, for so many nanoseconds; false if it never was.
template <class Done> bool spinFor(uint64_t nanoseconds, Done done) {
  for (const uint64_t begin = monotonicNanoseconds(); monotonicNanoseconds() - begin < nanoseconds;)
    for (int look = 0; look < 8; ++look) {
      if (done()) return true;
      _mm_pause();
    }
  return false;
}

} // namespace us::exec
