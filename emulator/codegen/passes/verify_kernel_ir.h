// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// verify_kernel_ir — checks what docs/ir-conventions.md promises, and changes nothing.
///
///   before:  %s = fadd fast float %a, %b        after:  the same, and the context has the error
///                                                       "kernel IR: an instruction of 'f' has fast-math flags"
///
/// Leaves:   the module as it was; each broken rule is reported as an error of the context.
struct VerifyKernelIr : llvm::PassInfoMixin<VerifyKernelIr> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
