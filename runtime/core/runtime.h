// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the whole process shares: the threads that run user code, and whether the runtime is still usable here.
#pragma once

#include "runtime/base/expected.h"

#include <cstddef>
#include <functional>

namespace us::core {

class Task;

/// True in a process forked from one that used the runtime: its threads and locks are gone. Every call of the core then
/// fails with OutOfResources (or does nothing), and releases leak. Both APIs' entry guards ask this first.
bool runtimeDead();

/// The error of every call in such a process.
[[nodiscard]] std::unexpected<Error> failDead();

/// Runs application code (callbacks, native kernels) on one of the runtime's own threads, soon, with no lock held.
/// Tasks start in the order given; when one blocks, another thread takes the next. Never waits. A task that was
/// accepted runs unless the process ends.
void runUserCode(std::function<void()> task);
/// The same with a task of the caller's, which cannot fail.
void runUserCode(Task &task);

/// Runs long work of the runtime itself (builds) on a thread of its own kind, so that it never delays user code.
void runInBackground(std::function<void()> task);

/// For tests and `understudy info`: threads started so far.
size_t runtimeThreads();

} // namespace us::core
