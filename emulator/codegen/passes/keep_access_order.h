// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// keep_access_order — takes the promise that iterations are independent from loops in which LLVM's loop vectorizer
/// would use it for one iteration too. It joins accesses a few elements apart, all loads at the first, all stores at
/// the last of them, and in a loop with the promise asks nobody about accesses between these, which may be of the same
/// memory.
///
///   before:  store i32 %x, %p[2 * %i]                 after:  the same, without llvm.loop.parallel_accesses
///            %y = load i32, %q[%i]    ; q may be p
///            store i32 %z, %p[2 * %i + 1]
struct KeepAccessOrder : llvm::PassInfoMixin<KeepAccessOrder> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
};

} // namespace us::codegen
