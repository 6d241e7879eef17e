// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a fatal error of LLVM from ending the process. (Faults, such as a stack overflow, are the runtime's signal
// module's: it leaves the compiler in the same way.)
#pragma once

#include <functional>
#include <string>

namespace us::compiler {

/// Runs `work`; if LLVM reports a fatal error meanwhile on this thread, leaves `work` by a non-local jump and returns
/// LLVM's sentence; else an empty string. What `work` held then is leaked, on purpose: nothing of it can be trusted.
std::string runGuarded(const std::function<void()> &work);

} // namespace us::compiler
