// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// inline_calls — puts into the kernel every callee that needs the machine, and those that are worth it.
///
///   before:  call void @f(i64 %i)   (f calls us.barrier)     call float @sin(float %x)
///   after:   their bodies; only large functions that need no context stay calls
///
/// Leaves:   the kernel alone calls us.* functions and refers to variables of address spaces 1 and 3.
struct InlineCalls : llvm::PassInfoMixin<InlineCalls> {
  explicit InlineCalls(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
