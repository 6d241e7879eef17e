// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/keep_disjoint_bits.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {

llvm::PreservedAnalyses KeepDisjointBits::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  using namespace llvm::PatternMatch;
  bool changed = false;
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::TruncInst *, 16> cuts;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *cut = llvm::dyn_cast<llvm::TruncInst>(&instruction)) cuts.push_back(cut);
    while (!cuts.empty()) {
      llvm::TruncInst *cut = cuts.pop_back_val();
      llvm::Value *left = nullptr, *right = nullptr;
      // Another use keeps the long number alive: there would be one operation more.
      if (!match(cut->getOperand(0), m_OneUse(m_DisjointOr(m_Value(left), m_Value(right))))) continue;
      auto *joined = llvm::cast<llvm::Instruction>(cut->getOperand(0));
      llvm::IRBuilder<> builder(cut);
      const auto part = [&](llvm::Value *whole) {
        llvm::Value *made = builder.CreateTrunc(whole, cut->getType());
        if (auto *again = llvm::dyn_cast<llvm::TruncInst>(made)) cuts.push_back(again);
        return made;
      };
      auto *parts = llvm::BinaryOperator::CreateOr(part(left), part(right));
      llvm::cast<llvm::PossiblyDisjointInst>(parts)->setIsDisjoint(true);
      builder.Insert(parts);
      parts->takeName(joined);
      cut->replaceAllUsesWith(parts);
      cut->eraseFromParent();
      joined->eraseFromParent();
      changed = true;
    }
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace us::codegen
