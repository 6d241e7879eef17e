// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is the same for all work-items of a group.
#pragma once

#include "emulator/codegen/analysis/chosen_apart.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Memory that spill_across_barriers made for a value that is the same for the whole group.
bool isGroupSlot(const llvm::AllocaInst &memory);

/// Where differences between the work-items of a group come from: ids, private memory, and what not all read at once.
bool differsBetweenItems(const llvm::Value *value);

/// LLVM's uniformity analysis, told what differs between work-items. In a program without data races a plain load from
/// one address gives all work-items the same value.
class Uniformity {
public:
  /// Without an analysis manager; it goes on referring to what it is given.
  static Uniformity compute(llvm::Function &function, const llvm::DominatorTree &dominators,
                            const llvm::CycleInfo &cycles);
  /// Defined the same in all work-items, and seen the same by every use.
  bool isUniform(llvm::Instruction &value) const;
  bool hasUniformBranch(llvm::BasicBlock &block) const;
  const Meetings &meetings() const { return meetings_; }
  void print(llvm::raw_ostream &stream, llvm::Function &function) const;
  bool invalidate(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                  llvm::FunctionAnalysisManager::Invalidator &invalidator);

private:
  Uniformity(llvm::UniformityInfo info, Meetings meetings);
  mutable llvm::UniformityInfo info_;
  Meetings meetings_;
};

class UniformityAnalysis : public llvm::AnalysisInfoMixin<UniformityAnalysis> {
  friend llvm::AnalysisInfoMixin<UniformityAnalysis>;
  static llvm::AnalysisKey Key;

public:
  using Result = Uniformity;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

/// Blocks that only some work-items of a group may run, unless what the others do is to end the launch.
class DivergentBlocks {
public:
  bool contains(const llvm::BasicBlock *block) const { return blocks_.contains(block); }
  void print(llvm::raw_ostream &stream, llvm::Function &function) const;

private:
  friend class DivergentBlocksAnalysis;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> blocks_;
};

class DivergentBlocksAnalysis : public llvm::AnalysisInfoMixin<DivergentBlocksAnalysis> {
  friend llvm::AnalysisInfoMixin<DivergentBlocksAnalysis>;
  static llvm::AnalysisKey Key;

public:
  using Result = DivergentBlocks;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace us::codegen
