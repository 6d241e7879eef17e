// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// loosen_alignment — vectors in memory that others see are read and written wherever their elements may lie.
///
///   before:  load <4 x float>, ptr addrspace(1) %p, align 16      after:   load <4 x float>, ptr addrspace(1) %p,
///   align 4
///
/// "The pointer must be aligned to the size of the type", but Intel's and AMD's devices read vectors at any of their
/// elements, and programs count on it: ggml reads rows of 33 floats by four. The host would fault, or not, as its
/// instructions are chosen.
struct LoosenAlignment : llvm::PassInfoMixin<LoosenAlignment> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
