// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signal module.
#include "emulator/exec/signals.h"

#include "emulator/exec/kernel_guard.h"

#include <utility>

namespace us::exec {
namespace {
thread_local KernelGuard *current __attribute__((tls_model("initial-exec"))) = nullptr;
}

KernelGuard *enterKernels(KernelGuard *guard) { return std::exchange(current, guard); }
void leaveKernels(KernelGuard *outer) { current = outer; }
std::string faultSentence(const Fault &fault, ErrorCode &code) { return "faulted"; }

} // namespace us::exec
