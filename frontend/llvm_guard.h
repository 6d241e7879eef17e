// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a fatal error of LLVM from ending the process. (Faults, such as a stack overflow, are the runtime's signal
// module's: it leaves the compiler in the same way.)
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace us::frontend {

/// Runs `work`; if LLVM reports a fatal error meanwhile on this thread, or `work` takes longer than so many
/// milliseconds (0: no limit), leaves `work` by a non-local jump and returns a sentence; else an empty string. What
/// `work` held then is leaked, on purpose: nothing of it can be trusted.
std::string runGuarded(const std::function<void()> &work, uint64_t timeLimit = 0);

} // namespace us::frontend
