// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/chosen_apart.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace us::codegen {
namespace {

using Blocks = llvm::SmallSetVector<llvm::BasicBlock *, 16>;
using Positions = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;

/// In an order in which each block is behind those that lead to it, but for the next turns of loops.
Positions positionsOf(llvm::Function &function) {
  Positions positions;
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
    positions.insert({block, unsigned(positions.size())});
  return positions;
}

llvm::BasicBlock *meetingOf(llvm::BasicBlock &branch, const llvm::PostDominatorTree &postDominators) {
  const auto *node = postDominators.getNode(&branch);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

/// Blocks to which ways lead from both sides of a branch that have no block in common before. Behind the one where all
/// ways meet there is none.
Blocks meetingsBehind(llvm::BasicBlock &branch, const llvm::PostDominatorTree &postDominators,
                      const Positions &positions) {
  auto apart = blocksApart(branch, postDominators).takeVector();
  if (llvm::BasicBlock *last = meetingOf(branch, postDominators)) apart.push_back(last);
  llvm::erase(apart, &branch); // the next turn of a loop
  llvm::sort(apart, [&](auto *a, auto *b) { return positions.lookup(a) < positions.lookup(b); });
  Blocks meetings;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> lastMeeting; // on the way there, or the side
  for (bool changes = true; changes;) {
    changes = false;
    for (llvm::BasicBlock *block : apart) {
      llvm::BasicBlock *last = nullptr;
      for (llvm::BasicBlock *before : llvm::predecessors(block)) {
        llvm::BasicBlock *one = before == &branch ? block : lastMeeting.lookup(before);
        if (last && one && one != last) meetings.insert(block);
        if (one) last = one;
      }
      if (meetings.contains(block)) last = block;
      if (last && std::exchange(lastMeeting[block], last) != last) changes = true;
    }
  }
  return meetings;
}

} // namespace

Blocks blocksApart(llvm::BasicBlock &branch, const llvm::PostDominatorTree &postDominators) {
  const llvm::BasicBlock *meeting = meetingOf(branch, postDominators);
  Blocks apart;
  llvm::SmallVector<llvm::BasicBlock *, 16> open(llvm::successors(&branch));
  while (!open.empty()) {
    llvm::BasicBlock *block = open.pop_back_val();
    if (block != meeting && apart.insert(block)) open.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return apart;
}

bool addChosenApart(llvm::Function &function, llvm::UniformityInfo &uniformity,
                    const llvm::PostDominatorTree &postDominators,
                    llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis) {
  const size_t before = phis.size();
  Positions positions;
  for (llvm::BasicBlock &block : function) {
    if (!uniformity.hasDivergentTerminator(block)) continue;
    if (positions.empty()) positions = positionsOf(function);
    for (llvm::BasicBlock *meeting : meetingsBehind(block, postDominators, positions))
      for (llvm::PHINode &phi : meeting->phis())
        if (!uniformity.isDivergent(&phi) && !phi.hasConstantOrUndefValue()) phis.insert(&phi);
  }
  return phis.size() != before;
}

} // namespace us::codegen
