// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/common/entry_guard.h"

#include "runtime/base/log.h"
#include "runtime/base/options.h"

#include <new>

namespace us::icd {

Error errorOfException(const char *function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return {ErrorCode::OutOfHostMemory, {}};
  } catch (...) {
    // Nothing we write throws, but the standard library may (a lock, a thread).
    log(LogLevel::Error, function);
    return {ErrorCode::Internal, {}};
  }
}

constinit std::atomic<uint8_t> Watch::known_{0};

Watch Watch::ask() {
  const uint8_t flags = kKnown | (options().trace ? kTraced : 0) | (options().timeline.empty() ? 0 : kTimed);
  known_.store(flags, std::memory_order_relaxed);
  return Watch(flags);
}

} // namespace us::icd
