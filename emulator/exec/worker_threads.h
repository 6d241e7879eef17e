// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose threads the workers are (US_WORKERS): TBB's, or, for the thread sanitizer, of our own.
#pragma once

#include <cstdint>
#include <functional>

namespace us::exec {

/// Nanoseconds after which a worker that nobody calls gives its thread back.
extern const uint64_t kLongestSleep;

/// Runs it on a thread of a pool with so many, a caller's included; false: there is no memory, no thread, or the
/// process ends.
bool startWorker(unsigned threads, std::function<void()> work) noexcept;

} // namespace us::exec
