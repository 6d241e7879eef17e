// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 19's uniformity analysis misses some of the blocks where work-items meet that have parted: what they choose
// there differs, though it takes the choice for the same.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace us::codegen {

/// Adds the phis of such blocks that the analysis takes for uniform; false: there are none. With them as sources of
/// divergence it is to be computed again.
bool addChosenApart(llvm::Function &function, llvm::UniformityInfo &uniformity,
                    llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis);

} // namespace us::codegen
