// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the accesses of a kernel go, for all work-items at once: sums of numbers that are the same for a launch, of
// global ids, and of what loops count.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/codegen/instrument/accesses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <functional>
#include <optional>

namespace us::codegen {

inline constexpr unsigned kDimensions = 3;

/// Something that a work-item does again and again, each time so many bytes further on; or, with no loop, what makes an
/// access so many steps further on by a number of which only the bounds are known.
struct Repetition {
  const llvm::SCEV *step;
  const llvm::SCEV *last;    ///< number of the last time, or more; null: not known
  unsigned bits;             ///< of the narrowest number that it is a part of
  const llvm::SCEV *largest; ///< of these numbers, where the last time is not known; null: not known
  const llvm::Loop *loop;    ///< null: none
};

/// Where an access goes, counted from the beginning of its memory.
struct Place {
  const llvm::SCEV *steps[kDimensions] = {}; ///< from one work-item to the next, by dimension
  /// Of::Launch: from one work-group to the next, beside what the steps of its work-items make.
  const llvm::SCEV *groupSteps[kDimensions] = {};
  llvm::SmallVector<Repetition, 2> repetitions;
  const llvm::SCEV *rest = nullptr;                    ///< the same for all work-items that are looked at
  llvm::SmallVector<const llvm::SCEV *, 2> narrowRest; ///< what of it is a part of numbers of less than 64 bits
  unsigned bits = 64;                                  ///< of the narrowest number that steps are a part of
  /// It is as said modulo 2 to the power of this: numbers of so many bits that it is made of may have wrapped.
  unsigned modulus = 64;
  bool usesGroups() const { return groupSteps[0] || groupSteps[1] || groupSteps[2]; }
  /// Numbers without sign were made longer that are not global ids alone: they may have been below 0.
  bool extendsUnsigned = false;
};

/// What an id is where something is done, at least and at most, by what is compared on the way there; 64 bits. Ids are
/// less than 2^31.
struct IdLimits {
  llvm::SmallVector<const llvm::SCEV *, 3> smallest, largest;
};

/// The kernel with its variables as values, and one name for each query: what scalar evolution can see through. Knows
/// the kernel as it was when this was made.
class Evolution {
public:
  /// Which work-items: all of the launch, by their global ids; those of one work-group, by their local ones; or one of
  /// each work-group, by the group's ids.
  enum class Of { Launch, Group, Groups };
  /// `specialization`: what is known of a group's size; null: nothing.
  explicit Evolution(llvm::Function &kernel, Of of = Of::Launch, const abi::Specialization *specialization = nullptr);
  ~Evolution();
  Evolution(const Evolution &) = delete;
  Evolution &operator=(const Evolution &) = delete;

  llvm::ScalarEvolution &scalars() { return *evolution_; }
  llvm::DominatorTree &dominators() { return *dominators_; }
  llvm::LoopInfo &loops() { return *loops_; }
  /// The copy that all this is about, and what there is an instruction of the kernel; null: nobody comes to it.
  llvm::Function &copy() { return *copy_; }
  llvm::Instruction *copyOf(const llvm::Instruction &instruction) const;
  /// Says which values of the copy, or counts of a loop with such a head (null: no value), are the same for all
  /// work-items that are looked at, besides what does not change in a launch or group.
  using IsSame = std::function<bool(llvm::Instruction *value, llvm::BasicBlock &block)>;
  void setSame(IsSame isSame) { isSame_ = std::move(isSame); }
  /// Then places are as said only where all work-groups are of the same size.
  bool usesLocalSize() const { return usesLocalSize_; }
  /// From now on numbers of which the launch only knows the bounds, as what is clamped, are repetitions without a loop.
  void acceptBounds() { acceptsBounds_ = true; }
  /// Of the pointer of an access from what `root`, an argument or a variable, points to, in bytes; null: not known.
  const llvm::SCEV *distanceOf(const Access &access, llvm::Value &root);
  /// The same as steps; false: it is none of the kind.
  bool placeOf(const Access &access, llvm::Value &root, Place &place);
  /// The largest global id that comes to an instruction, by what is compared on the way there, 64 bits; below 0: none
  /// comes. Null: nothing of the kind is compared. Ids are less than 2^31.
  const llvm::SCEV *largestId(const llvm::Instruction &instruction, unsigned dimension);
  /// Likewise, the smallest one.
  const llvm::SCEV *smallestId(const llvm::Instruction &instruction, unsigned dimension);
  /// Likewise, but of global ids only for Of::Launch, else of local ones.
  IdLimits limitsOf(const llvm::Instruction &instruction, unsigned dimension);
  /// Nothing but counters of loops, and what is the same for all, is compared on the way to an instruction.
  bool isDoneByAll(const llvm::Instruction &instruction);
  /// What a number may be where an instruction of the copy is.
  llvm::ConstantRange rangeAt(const llvm::SCEV *what, const llvm::Instruction &there);
  /// Likewise, of a value of the copy, by what it is made of and what is compared with it on the way there.
  llvm::ConstantRange rangeOf(llvm::Value &value, const llvm::Instruction &there);
  /// How far the pointer of an access is from a variable that it was made from, in bytes; none: not known.
  std::optional<llvm::ConstantRange> rangeOfDistance(const Access &access, llvm::Value &root);
  /// The same number in the kernel itself.
  llvm::Value *build(llvm::IRBuilderBase &builder, const llvm::SCEV *what);

private:
  void unifyQueries();
  void unifyLocalQueries();
  void unifyGroupQueries();
  bool countThroughLoops();
  bool divideWithoutSign();
  llvm::ConstantRange comparedBefore(const llvm::SCEV *what, const llvm::Instruction &there);
  bool isInBody(const llvm::Instruction &there, const llvm::Loop &loop) const;
  void endInBody(const llvm::Instruction &access, Place &place);
  bool isOfLaunch(const llvm::SCEV *what);
  void addLimits(llvm::Value *condition, bool holds, unsigned dimension, IdLimits &limits);
  const llvm::SCEV *widened(const llvm::SCEVCastExpr &cast);
  const llvm::SCEV *times(const llvm::SCEV *factor, const llvm::SCEV *one);
  const llvm::SCEV *largestOf(const llvm::SCEVAddRecExpr &number);
  bool split(const llvm::SCEV *what, const llvm::SCEV *factor, unsigned bits, Place &place);
  bool splitExactly(const llvm::SCEV *what, const llvm::SCEV *factor, unsigned bits, Place &place);
  struct Bounds {
    const llvm::SCEV *low = nullptr, *high = nullptr; ///< 64 bits, the same for all; null: not known
  };
  Bounds boundsOf(const llvm::SCEV *what);
  Bounds boundsOfChoice(const llvm::SCEVMinMaxExpr &choice);

  llvm::Function &original_;
  const Of of_;
  llvm::ValueToValueMapTy map_;
  llvm::Function *const copy_;
  const abi::Specialization *const specialization_;
  IsSame isSame_;
  const llvm::Instruction *at_ = nullptr; ///< of the copy: where what is asked for has to be so
  bool usesLocalSize_ = false, acceptsBounds_ = false;
  llvm::SmallPtrSet<llvm::Instruction *, 16> asked_;                 ///< of the copy: rangeOf is being found
  unsigned steps_ = 0;                                               ///< of the one that was asked for first
  llvm::Value *ids_[kDimensions] = {}, *compared_[kDimensions] = {}; ///< compared_: those with limits
  llvm::Value *groups_[kDimensions] = {};                            ///< of Of::Launch
  std::optional<llvm::TargetLibraryInfo> library_;
  std::optional<llvm::AssumptionCache> assumptions_;
  std::optional<llvm::DominatorTree> dominators_;
  std::optional<llvm::LoopInfo> loops_;
  std::optional<llvm::ScalarEvolution> evolution_;
};

} // namespace us::codegen
