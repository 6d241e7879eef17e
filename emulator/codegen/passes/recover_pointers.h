// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// recover_pointers — an address that was calculated as a number becomes a distance from a pointer.
///
///   before:  %n = add i64 %argument, %distance     %p = inttoptr i64 %n to ptr
///   after:   %base = inttoptr i64 %argument to ptr     %p = getelementptr i8, ptr %base, i64 %distance
///
/// PTX has numbers for pointers. LLVM knows nothing of how a cast number moves in a loop, and vectorizes no access
/// through it. The base is a pointer that became a number, an argument, or a number from memory, in this order.
struct RecoverPointers : llvm::PassInfoMixin<RecoverPointers> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
