// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// link_builtins — takes from the builtin library what the program calls, and closes the program.
///
///   before:  declare float @_Z3sinf(float)          after:  define internal float @_Z3sinf(float) { … }
///            define void @helper() …                        define internal void @helper() …
///
/// Requires: every other module of the program is linked in.
/// Leaves:   only kernels are visible outside; the only functions without a body are the machine's (us.*) and LLVM's.
///           Any other undefined function is reported as an error of the context, by its name in the source.
struct LinkBuiltins : llvm::PassInfoMixin<LinkBuiltins> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
