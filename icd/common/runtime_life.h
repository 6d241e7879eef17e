// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether calls are still answered: not while the process ends, not in a forked child.
#pragma once

#include "runtime/base/fork_guard.h"

#include <atomic>

namespace us::icd {

namespace detail {
extern std::atomic<bool> isProcessEnding;
}

/// Registers for the process's end and for forks; called once, before the first object is made.
void watchRuntimeLife();

/// True once the process has begun to end, or in a child of fork. Nothing of the runtime may be touched then: its
/// threads are gone and its locks may be held for ever.
inline bool runtimeIsGone() { return detail::isProcessEnding.load(std::memory_order_relaxed) || inForkedChild(); }

/// True once this process (not a forked child of it) has begun to end.
bool processIsEnding();

} // namespace us::icd
