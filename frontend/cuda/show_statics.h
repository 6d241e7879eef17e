// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::frontend::cuda {

/// show_statics — a program finds static variables of the device by their names ("cuModuleGetGlobal") and writes them,
/// of which the compiler sees nothing. Of a module that is linked with others they stay its own.
///
///   before:  @_ZL5table = internal addrspace(4) global [4 x i32] zeroinitializer
///   after:   @table = addrspace(4) externally_initialized global [4 x i32] zeroinitializer
struct ShowStatics : llvm::PassInfoMixin<ShowStatics> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::frontend::cuda
