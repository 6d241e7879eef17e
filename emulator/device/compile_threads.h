// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads with stacks deep enough for the compiler: Clang and LLVM recurse over expressions and types, and the
// application's thread may have any stack size.
#pragma once

#include "runtime/base/expected.h"

#include <functional>

namespace us::emulator {

/// Runs `work` on a compile thread and waits for it; on a compile thread, right there. Threads are started when all are
/// busy, and parked when idle. OutOfResources if no thread can be started, in a forked child, and once the process is
/// exiting.
Expected<void> runOnCompileThread(const std::function<void()> &work);

/// Runs `work` on a compile thread some time later, in the order of the calls; `most` at once and no more than
/// eight. Dropped where that cannot be: no thread, a forked child, the process is exiting.
void postToCompileThread(unsigned most, std::function<void()> work);

/// To be called once the compiler library is open: from then on, process exit first waits for work in progress, so that
/// the compiler's own static objects outlive it, and refuses new work.
void guardProcessExit();

} // namespace us::emulator
