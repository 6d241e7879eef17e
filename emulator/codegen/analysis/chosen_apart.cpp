// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/chosen_apart.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace us::codegen {
namespace {

/// Blocks to which ways lead from both sides of a branch that have no block in common before.
llvm::SmallSetVector<llvm::BasicBlock *, 4> meetingsBehind(llvm::BasicBlock &branch) {
  llvm::ReversePostOrderTraversal<llvm::Function *> order(branch.getParent());
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> lastMeeting; // on the way there, or the side
  llvm::SmallSetVector<llvm::BasicBlock *, 4> meetings;
  for (bool changes = true; changes;) {
    changes = false;
    for (llvm::BasicBlock *block : order) {
      if (block == &branch) continue;
      llvm::SmallPtrSet<llvm::BasicBlock *, 4> from;
      for (llvm::BasicBlock *before : llvm::predecessors(block)) {
        llvm::BasicBlock *one = before == &branch ? block : lastMeeting.lookup(before);
        if (one) from.insert(one);
      }
      if (from.empty()) continue;
      if (from.size() > 1) meetings.insert(block);
      llvm::BasicBlock *last = meetings.contains(block) ? block : *from.begin();
      if (std::exchange(lastMeeting[block], last) != last) changes = true;
    }
  }
  return meetings;
}

} // namespace

bool addChosenApart(llvm::Function &function, llvm::UniformityInfo &uniformity,
                    llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis) {
  const size_t before = phis.size();
  for (llvm::BasicBlock &block : function) {
    if (!uniformity.hasDivergentTerminator(block)) continue;
    for (llvm::BasicBlock *meeting : meetingsBehind(block))
      for (llvm::PHINode &phi : meeting->phis())
        if (!uniformity.isDivergent(&phi) && !phi.hasConstantOrUndefValue()) phis.insert(&phi);
  }
  return phis.size() != before;
}

} // namespace us::codegen
