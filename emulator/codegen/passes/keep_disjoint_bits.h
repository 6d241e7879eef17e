// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// keep_disjoint_bits — of numbers without common bits that are joined and cut down, each is cut down.
///
///   before:  %x = or disjoint i64 %tile, %l    %i = trunc i64 %x to i32
///   after:   %i = or disjoint i32 (trunc %tile), (trunc %l)
///
/// A tile's places are its first one's and local ids, 64 bits long as OpenCL C has them, in an int. InstCombine does
/// the same and forgets that no bits are common. That the sum counts up with the local id, and does not wrap, is known
/// by nothing else: neighbours' places would not lie side by side.
struct KeepDisjointBits : llvm::PassInfoMixin<KeepDisjointBits> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
};

} // namespace us::codegen
