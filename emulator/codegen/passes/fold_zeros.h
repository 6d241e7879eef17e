// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// fold_zeros — integers that are made of nothing but zeros are zero, also round loops and through vectors.
///
///   before:  %s = phi <4 x i32> [ zeroinitializer, %entry ], [ %next, %round ]
///            %three = shufflevector <4 x i32> %s, <4 x i32> zeroinitializer, <3 x i32> <i32 0, i32 1, i32 2>
///            %next = shufflevector <3 x i32> %three, <3 x i32> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
///   after:   zeroinitializer for all three
///
/// For the shadows of values, of which most are zero. Sparse constant propagation takes nothing for granted of what
/// vectors are put together of, so a sum of three components had its shadow with it in each round.
struct FoldZeros : llvm::PassInfoMixin<FoldZeros> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

} // namespace us::codegen
