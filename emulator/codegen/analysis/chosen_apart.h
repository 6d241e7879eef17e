// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where work-items are that have parted. LLVM 19's uniformity analysis misses some of the blocks where they meet: what
// they choose there differs, though it takes the choice for the same.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>

namespace us::codegen {

using ConstBlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;

/// These blocks, and those from which a way leads to one.
ConstBlockSet blocksThatLeadTo(const ConstBlockSet &ends);

/// The block where all ways from another meet again: its immediate post-dominator, but that ways which end the whole
/// launch (`unreachable`, as behind a failed check of what only one work-item does) count for nothing: who goes on
/// meets as if they were not there.
class Meetings {
public:
  explicit Meetings(llvm::Function &function);
  /// The block where all ways meet that lead to one of `ends`, at which they end: others count for nothing.
  Meetings(llvm::Function &function, const ConstBlockSet &ends);
  /// Null: there is none.
  llvm::BasicBlock *behind(const llvm::BasicBlock &block) const { return meetings_.lookup(&block); }

private:
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> meetings_;
};

/// The blocks between a branch and the one where all ways from it meet again, which is not among them. Other branches
/// meet elsewhere: each has blocks of its own.
llvm::SmallSetVector<llvm::BasicBlock *, 16> blocksApart(llvm::BasicBlock &branch, const Meetings &meetings);

/// A value and nothing, to choose from: the same for all, or different?
enum class NothingIs : uint8_t { TheSame, Different };

/// LLVM's analysis, done again until it misses none of the phis of such blocks. These go to `phis`, which `items`,
/// asked while this computes only, has to say are sources of divergence.
llvm::UniformityInfo uniformityOf(llvm::Function &function, const llvm::DominatorTree &dominators,
                                  const llvm::CycleInfo &cycles, const llvm::TargetTransformInfo &items,
                                  const Meetings &meetings, NothingIs nothing,
                                  llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis);

} // namespace us::codegen
