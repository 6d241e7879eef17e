// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops wait for memory to change: what yield_in_waiting_loops and the inliner must know.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class Loop;
} // namespace llvm

namespace us::codegen {

/// Reads memory that others may change meanwhile: atomically, or as volatile; not the work-item's own stack.
bool watchesMemory(const llvm::Instruction &instruction);

/// The loops of a function that are left only when what they watch has changed.
struct WaitingLoops {
  llvm::SmallVector<llvm::Loop *, 4> loops;
  void print(llvm::raw_ostream &stream, llvm::Function &function) const;
  bool invalidate(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                  llvm::FunctionAnalysisManager::Invalidator &invalidator);
};

class WaitingLoopsAnalysis : public llvm::AnalysisInfoMixin<WaitingLoopsAnalysis> {
  friend llvm::AnalysisInfoMixin<WaitingLoopsAnalysis>;
  static llvm::AnalysisKey Key;

public:
  using Result = WaitingLoops;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace us::codegen
