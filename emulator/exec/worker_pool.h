// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that help: TBB's workers, or std::threads where the thread sanitizer looks (US_SCHEDULER).
#pragma once

namespace us::exec {

/// Asks `count` workers of a pool that, with a caller, has `threads` to call function(argument) once each, at some
/// later time. Pools of one size are the same: threads are the process's. They start when first asked for and are never
/// joined: process exit just ends them. Where they cannot be asked (no memory, no threads) fewer come, or nobody. Never
/// called in a forked child.
void inviteWorkers(unsigned threads, unsigned count, void (*function)(void *), void *argument) noexcept;

} // namespace us::exec
