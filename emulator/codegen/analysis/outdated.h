// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// For the invalidate() of an analysis' result that refers to the results of others: it goes with any of them.
template <class Analysis, class... Others>
bool isOutdated(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                llvm::FunctionAnalysisManager::Invalidator &invalidator) {
  auto checker = preserved.getChecker<Analysis>();
  const bool isKept = checker.preserved() || checker.template preservedSet<llvm::AllAnalysesOn<llvm::Function>>();
  return !isKept || (invalidator.invalidate<Others>(function, preserved) || ...);
}

} // namespace us::codegen
