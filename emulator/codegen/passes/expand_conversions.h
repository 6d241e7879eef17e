// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// expand_conversions — conversions of vectors to integers, which saturate, as ones that do not and what stands for
/// numbers that do not fit. LLVM 19's code generator does each element alone, with branches.
///
///   before:  %r = call <16 x i32> @llvm.fptosi.sat(<16 x float> %x)
///   after:   %inside = fptosi <16 x float> %x to <16 x i32>
///            %above = select (%x >= 2^31), 2^31 - 1, %inside
///            %below = select (%x <= -2^31), -2^31, %above
///            %r = select (%x is a number), %below, 0
///
/// Leaves:   conversions of scalars.
struct ExpandConversions : llvm::PassInfoMixin<ExpandConversions> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
