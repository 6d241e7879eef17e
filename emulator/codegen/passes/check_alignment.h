// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_alignment — what remains to be found out while the kernel runs of whether addresses are aligned (PTX).
///
///   before:  %low = and i64 %address, 3     call void @us.check(i32 Misaligned, i64 %low)    ... in a loop, for each
///   access after:   one such call per base of addresses, as far outside of loops as it is certain to be reached
///
/// An address's low bits are those of what it begins with: what is added to it is a multiple of the access's size
/// almost always. So there is nothing to do in loops for arrays. A check is never made where the access might not be.
struct CheckAlignment : llvm::PassInfoMixin<CheckAlignment> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
