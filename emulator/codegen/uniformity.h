// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is the same for all work-items of a group, and what does not even change in a group or a launch.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>

namespace us::codegen {

/// Values that can be computed before any work-item runs, without looking at memory that may change. What lies outside
/// the kernel's function has been computed there already.
class Invariance {
public:
  explicit Invariance(const llvm::Function &kernel) : kernel_(kernel) {}
  enum class Level : uint8_t { Item, Group, Launch };
  Level of(llvm::Value *value);

private:
  Level compute(llvm::Instruction &instruction);
  const llvm::Function &kernel_;
  llvm::DenseMap<llvm::Value *, Level> known_;
};

/// Memory that spill_across_barriers made for a value that is the same for the whole group.
bool isGroupSlot(const llvm::AllocaInst &memory);

/// LLVM's uniformity analysis, told what differs between work-items. In a program without data races a plain load from
/// one address gives all work-items the same value.
class Uniformity {
public:
  explicit Uniformity(llvm::Function &kernel);
  /// Defined the same in all work-items, and seen the same by every use.
  bool isUniform(llvm::Instruction &value) const;
  bool hasUniformBranch(llvm::BasicBlock &block) const;

private:
  llvm::DominatorTree dominators_;
  llvm::CycleInfo cycles_;
  llvm::TargetTransformInfo target_;
  mutable llvm::UniformityInfo info_;
};

/// Blocks that only some work-items of a group may run, unless what the others do is to end.
llvm::SmallPtrSet<llvm::BasicBlock *, 16> divergentBlocks(llvm::Function &kernel, const Uniformity &uniformity);

} // namespace us::codegen
