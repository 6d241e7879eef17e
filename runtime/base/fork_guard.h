// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After fork only the forking thread exists in the child: locks may stay held and worker threads are gone. The child
// therefore starts with a dead runtime, and whoever would wait for a thread asks here first.
#pragma once

#include <atomic>

namespace us {

namespace detail {
extern std::atomic<bool> isForkedChild;
}

/// Begins to watch for fork; cheap after the first call. Every module with threads or locks calls it before its first.
void watchFork();
/// True in a child that was forked after watchFork(): refuse, with a clean error.
inline bool inForkedChild() { return detail::isForkedChild.load(std::memory_order_relaxed); }

} // namespace us
