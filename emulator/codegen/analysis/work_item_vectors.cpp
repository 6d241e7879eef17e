// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/work_item_vectors.h"

#include "emulator/codegen/group_loop.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {

bool workItemLoopsWereVectorized(llvm::Function &kernel) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  unsigned total = 0, left = 0;
  for (llvm::BasicBlock &block : kernel) {
    total += block.size();
    // The nearest work-item loop around it; where the vectorizer was, the loops say so.
    for (llvm::Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
      if (llvm::getBooleanLoopAttribute(loop, "llvm.loop.isvectorized")) break;
      if (!llvm::findOptionMDForLoop(loop, kParallelAccesses)) continue;
      // Dimensions around a vectorized loop hold little but control.
      left += block.size();
      break;
    }
  }
  return 2 * left < total;
}

} // namespace us::codegen
