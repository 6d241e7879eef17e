// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the work-items of a group do together, from barrier to barrier: all come to the same barriers, in the same
// order, and between two of them they take some branches all in the same way.
#pragma once

#include "emulator/codegen/analysis/uniformity.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>

#include <functional>

namespace us::codegen {

using IsBarrier = std::function<bool(const llvm::Instruction &)>;

/// Of a whole kernel.
class StepsTogether {
public:
  StepsTogether(llvm::Function &kernel, const llvm::DominatorTree &dominators, IsBarrier isBarrier);
  /// Work-items that have not ended come to the same barriers. Else nothing else is known.
  bool atBarriers() const { return atBarriers_; }
  /// All that have not ended come to this block, equally often.
  bool at(const llvm::BasicBlock &block) const { return atBarriers_ && !apart_.contains(&block); }
  /// They go on from there in the same way.
  bool behind(llvm::BasicBlock &block) const { return at(block) && uniformity_.hasUniformBranch(block); }
  /// Whoever comes there at the same time has the same value.
  bool haveSame(llvm::Instruction &value) const { return at(*value.getParent()) && uniformity_.isUniform(value); }
  const IsBarrier &isBarrier() const { return isBarrier_; }

private:
  void setApart(llvm::ArrayRef<llvm::BasicBlock *> from, const llvm::BasicBlock *meeting);

  IsBarrier isBarrier_;
  llvm::CycleInfo cycles_;
  Uniformity uniformity_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> apart_;
  bool atBarriers_ = true;
};

/// What work-items may do from an instruction on before they wait again.
class Interval {
public:
  Interval(const StepsTogether &steps, llvm::Instruction &first) : steps_(steps), first_(first) {}
  /// Calls for each instruction that they come to, in no order.
  void visit(llvm::function_ref<void(llvm::Instruction &)> act) { walk({&first_}, act); }
  /// In this interval an instruction that all come to (steps.at) is done once at most, and whoever comes to `use` has
  /// done it before, or nobody does it in this interval.
  bool isDoneOnceBefore(llvm::Instruction &instruction, llvm::Instruction &use);
  /// Whoever does the one does not do the other, and nobody else does: a branch that all take in the same way is
  /// between them.
  bool excludes(llvm::Instruction &one, llvm::Instruction &other);

private:
  using Instructions = llvm::SmallPtrSet<llvm::Instruction *, 32>;
  /// Up to `end`, and not by way of an edge.
  void walk(llvm::SmallVector<llvm::Instruction *, 8> open, llvm::function_ref<void(llvm::Instruction &)> act,
            const llvm::Instruction *end = nullptr, const llvm::BasicBlock *from = nullptr,
            const llvm::BasicBlock *to = nullptr) const;
  Instructions reached(const llvm::Instruction *end, const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;
  bool repeats(llvm::Instruction &instruction) const;

  struct Once {
    bool isDone = false, repeats = false;
    Instructions without; ///< what is reached before it
  };
  struct Way {
    Instructions without[2]; ///< what is reached if all go the other way
  };
  const StepsTogether &steps_;
  llvm::Instruction &first_;
  llvm::DenseMap<llvm::Instruction *, Once> once_;
  bool waysAreKnown_ = false;
  llvm::SmallVector<Way, 2> ways_;
};

} // namespace us::codegen
