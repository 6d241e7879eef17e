// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one work-item does in a turn of a work-item loop, as a function of its own: what is known of its values holds
// for one turn, and the loop is left alone until it is certain that it will be vectorized.
#pragma once

#include "emulator/codegen/analysis/chosen_apart.h"
#include "emulator/codegen/vectorize/private_arrays.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassManager.h>

#include <memory>
#include <optional>
#include <string>

namespace us::codegen {

/// A value that changes by the same amount from one turn to the next.
struct Induction {
  llvm::PHINode *phi;
  int64_t step;                              ///< bytes, if it is a pointer
  bool isSigned = false, isUnsigned = false; ///< it does not wrap as such a number
  unsigned zeros = 0;                        ///< that it ends with in the first turn
  uint64_t most = UINT64_MAX;                ///< in any turn, as an unsigned number
};

/// What turns add to or set, and none looks at.
struct Collected {
  llvm::PHINode *phi;
  bool isSet;      ///< by each work-item, all to the same; else bits are added, and each lane collects its own
  unsigned result; ///< the number of the value at the end of a turn, among the results
};

/// Why something is not vectorized; empty if it is.
using Obstacle = std::string;

class LaneFunction {
public:
  /// What becomes of vectors: their elements are values of their own, or they stay.
  enum class Vectors : uint8_t { Split, Whole };
  /// Clones the body of `loop`. With an obstacle nothing is left of it.
  LaneFunction(llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::FunctionAnalysisManager &manager,
               Vectors vectors = Vectors::Split);
  ~LaneFunction();
  LaneFunction(const LaneFunction &) = delete;
  LaneFunction &operator=(const LaneFunction &) = delete;

  /// The memory, outside of the function, of private arrays that are better in registers: lanes have elements in
  /// different places, or not all lanes set one. Others' elements lie side by side in memory.
  llvm::SmallVector<llvm::Value *, 4> arraysForRegisters() const;
  /// Takes loops apart that go over these arrays. False: that is too much code.
  bool unrollOverArrays(llvm::ArrayRef<llvm::Value *> memories, llvm::FunctionAnalysisManager &manager);
  /// The elements of these arrays become values, and of those of which each access names one.
  void putArraysInRegisters(llvm::ArrayRef<llvm::Value *> memories, llvm::FunctionAnalysisManager &manager);

  /// Lets lanes that walk alike do so in step (step_together.h), if there are such.
  void stepTogether(llvm::FunctionAnalysisManager &manager);
  bool stepsTogether() const { return stepsTogether_; }

  const Obstacle &obstacle() const { return obstacle_; }
  Vectors vectors() const { return vectors_; }
  llvm::Function &function() const { return *function_; }
  const llvm::SmallVectorImpl<Induction> &inductions() const { return inductions_; }
  const llvm::SmallVectorImpl<Collected> &collected() const { return collected_; }
  const Collected &collected(const llvm::Argument &argument) const;
  /// What an argument stands for: the first are the inductions, then what is collected; the others are values that are
  /// the same in all turns.
  llvm::Value *outer(const llvm::Argument &argument) const { return outer_[argument.getArgNo()]; }
  bool isInduction(const llvm::Argument &argument) const { return argument.getArgNo() < inductions_.size(); }
  bool isCollected(const llvm::Argument &argument) const {
    return !isInduction(argument) && argument.getArgNo() < inductions_.size() + collected_.size();
  }
  /// Values of the last turn that are used behind the loop: of the loop, and of the function.
  const llvm::SmallVectorImpl<llvm::Instruction *> &results() const { return results_; }
  llvm::Value *result(unsigned number) const;
  /// Memory that a work-item has for itself, as an argument; null: it is none.
  llvm::Argument *privateMemory(llvm::Value *pointer) const;

  llvm::DominatorTree &dominators() { return *dominators_; }
  llvm::LoopInfo &loops() { return *loops_; }
  /// All blocks, each behind those that lead to it; the blocks of a loop, and, inside of one loop, those that a block
  /// dominates, one after another.
  const llvm::SmallVectorImpl<llvm::BasicBlock *> &order() const { return order_; }
  bool isDivergent(const llvm::Value &value) const { return uniformity_->isDivergent(&value); }
  /// Those that not all work-items may come to at once.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> divergentBlocks() const;
  /// Takes these values for the same in all lanes, and no others that uniformity does not know to be: by arithmetic.
  void takeForSame(llvm::ArrayRef<const llvm::Instruction *> values);
  bool isTakenForSame(const llvm::Instruction &value) const { return takenForSame_.contains(&value); }
  bool isChosenApart(const llvm::Instruction &phi) const { return chosenApart_.contains(&phi); }
  bool hasDivergentBranch(const llvm::BasicBlock &block) const { return uniformity_->hasDivergentTerminator(block); }

private:
  void clone(llvm::Loop &loop);
  void findInductions(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
  void takeApart(Vectors vectors);
  void makeCanonical(llvm::FunctionAnalysisManager &manager, Vectors vectors);
  llvm::SmallVector<PrivateArray, 4> arrays() const;
  void analyze(llvm::FunctionAnalysisManager &manager);
  void findDivergence();
  void putInOrder(llvm::BasicBlock &first, llvm::Loop *loop);

  llvm::FunctionAnalysisManager &manager_;
  const Vectors vectors_;
  Obstacle obstacle_;
  bool stepsTogether_ = false;
  llvm::Function *function_ = nullptr;
  llvm::CallInst *marker_ = nullptr; ///< has the results as operands
  llvm::SmallVector<Induction, 4> inductions_;
  llvm::SmallVector<Collected, 1> collected_;
  llvm::SmallVector<llvm::Value *, 16> outer_;
  llvm::SmallVector<llvm::Instruction *, 2> results_;
  std::unique_ptr<llvm::DominatorTree> dominators_;
  std::unique_ptr<Meetings> meetings_;
  std::unique_ptr<llvm::LoopInfo> loops_;
  std::unique_ptr<llvm::CycleInfo> cycles_;
  std::unique_ptr<llvm::UniformityInfo> uniformity_;
  llvm::SmallPtrSet<const llvm::Instruction *, 4> chosenApart_, takenForSame_;
  llvm::SmallVector<llvm::BasicBlock *, 32> order_;
};

bool waitsForSubGroup(const llvm::Loop &loop);

/// Marks memory of the entry function that each work-item has for itself while its turn lasts.
inline constexpr const char *kPrivate = "us.private";
/// Marks memory of the entry function with a part for each work-item, or one for the group.
inline constexpr const char *kOfGroup = "us.of_group";

} // namespace us::codegen
