// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that installs signal handlers. They stand in front of the host's: filters look at a signal first, and
// what is nobody's goes to the handler that the host has, the way the system would have called it.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace us {

/// Looks at a signal before the host does, on the alternate stack if the thread has one, with all signals blocked.
/// True: it was ours. It may leave by a jump; then it is on whoever lands to set the mask that `context` holds.
using SignalFilter = bool (*)(int signal, siginfo_t *info, void *context);

/// From now on `filter` sees each `signal`. At most eight for a signal, the first one registered first. Thread-safe.
void filterSignal(int signal, SignalFilter filter);

/// Puts ours in front again where the host has installed another handler since, which gets what filters leave; true if
/// it had to. One system call when nothing has changed. For signals with a filter.
bool putInFront(int signal);

/// What the host does about a signal with a filter, when ours was last put in front.
enum class HostAction { Default, Ignored, Handled };
HostAction hostActionOf(int signal);

/// What a handler's context holds.
uint64_t programCounterOf(const void *context);
uint64_t stackPointerOf(const void *context);
sigset_t signalMaskOf(const void *context);
/// True for an address on the alternate stack of the thread that was interrupted.
bool isOnAlternateStack(const void *context, uint64_t address);
/// True if a handler runs on [stack pointer, end), on a part of a stack that it shares with what it interrupted. One
/// that blocks no signal, not even its own, is not found.
bool isInsideHandler(const void *context, uint64_t end);

} // namespace us
