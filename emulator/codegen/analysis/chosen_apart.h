// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where work-items are that have parted. LLVM 19's uniformity analysis misses some of the blocks where they meet: what
// they choose there differs, though it takes the choice for the same.
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace us::codegen {

/// The blocks between a branch and the one where all ways from it meet again, which is not among them. Other branches
/// meet elsewhere: each has blocks of its own.
llvm::SmallSetVector<llvm::BasicBlock *, 16> blocksApart(llvm::BasicBlock &branch,
                                                         const llvm::PostDominatorTree &postDominators);

/// Adds the phis of such blocks that the analysis takes for uniform; false: there are none. With them as sources of
/// divergence it is to be computed again.
bool addChosenApart(llvm::Function &function, llvm::UniformityInfo &uniformity,
                    const llvm::PostDominatorTree &postDominators,
                    llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis);

} // namespace us::codegen
