// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the accesses of a kernel go, for all work-items at once: sums of numbers that are the same for a launch, of
// global ids, and of what loops count.
#pragma once

#include "emulator/codegen/instrument/accesses.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

namespace us::codegen {

inline constexpr unsigned kDimensions = 3;

/// Something that a work-item does again and again, each time so many bytes further on.
struct Repetition {
  const llvm::SCEV *step;
  const llvm::SCEV *last;    ///< number of the last time, or more; null: not known
  unsigned bits;             ///< of the narrowest number that it is a part of
  const llvm::SCEV *largest; ///< of these numbers, where the last time is not known; null: not known
  const llvm::Loop *loop;
};

/// Where an access goes, counted from the beginning of its memory.
struct Place {
  const llvm::SCEV *steps[kDimensions] = {}; ///< from one work-item to the next, by dimension
  llvm::SmallVector<Repetition, 2> repetitions;
  const llvm::SCEV *rest = nullptr;                    ///< the same for all work-items that are looked at
  llvm::SmallVector<const llvm::SCEV *, 2> narrowRest; ///< what of it is a part of numbers of less than 64 bits
  unsigned bits = 64;                                  ///< of the narrowest number that steps are a part of
  /// Numbers without sign were made longer that are not global ids alone: they may have been below 0.
  bool extendsUnsigned = false;
};

/// The kernel with its variables as values, and one name for each query: what scalar evolution can see through. Knows
/// the kernel as it was when this was made.
class Evolution {
public:
  /// Which work-items: all of the launch, by their global ids, or those of one work-group, by their local ones.
  enum class Of { Launch, Group };
  explicit Evolution(llvm::Function &kernel, Of of = Of::Launch);
  ~Evolution();
  Evolution(const Evolution &) = delete;
  Evolution &operator=(const Evolution &) = delete;

  llvm::ScalarEvolution &scalars() { return *evolution_; }
  /// Then places are as said only where all work-groups are of the same size.
  bool usesLocalSize() const { return usesLocalSize_; }
  /// Of the pointer of an access to what `root`, an argument or a variable, points to; false: it is none of the kind.
  bool placeOf(const Access &access, llvm::Value &root, Place &place);
  /// The largest global id that comes to an instruction, by what is compared on the way there, 64 bits; below 0: none
  /// comes. Null: nothing of the kind is compared. Ids are less than 2^31.
  const llvm::SCEV *largestId(const llvm::Instruction &instruction, unsigned dimension);
  /// The same number in the kernel itself.
  llvm::Value *build(llvm::IRBuilderBase &builder, const llvm::SCEV *what);

private:
  void unifyQueries();
  void unifyLocalQueries();
  void endInBody(const llvm::Instruction &access, Place &place);
  bool isOfLaunch(const llvm::SCEV *what);
  const llvm::SCEV *limitOf(llvm::Value *condition, bool holds, unsigned dimension);
  const llvm::SCEV *times(const llvm::SCEV *factor, const llvm::SCEV *one);
  const llvm::SCEV *largestOf(const llvm::SCEVAddRecExpr &number);
  bool split(const llvm::SCEV *what, const llvm::SCEV *factor, unsigned bits, Place &place);

  llvm::Function &original_;
  const Of of_;
  llvm::ValueToValueMapTy map_;
  llvm::Function *const copy_;
  bool usesLocalSize_ = false;
  llvm::Value *ids_[kDimensions] = {};
  std::optional<llvm::TargetLibraryInfo> library_;
  std::optional<llvm::AssumptionCache> assumptions_;
  std::optional<llvm::DominatorTree> dominators_;
  std::optional<llvm::LoopInfo> loops_;
  std::optional<llvm::ScalarEvolution> evolution_;
};

} // namespace us::codegen
