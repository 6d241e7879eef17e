// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/chosen_apart.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
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

/// Blocks from which the whole launch ends, whatever comes.
ConstBlockSet blocksBeforeTheEnd(llvm::Function &function) {
  ConstBlockSet ending;
  for (llvm::BasicBlock *block : llvm::post_order(&function))
    if (llvm::isa<llvm::UnreachableInst>(block->getTerminator()) ||
        (!llvm::succ_empty(block) &&
         llvm::all_of(llvm::successors(block), [&](auto *next) { return ending.contains(next); })))
      ending.insert(block);
  return ending;
}

/// Immediate post-dominators (Cooper, Harvey, Kennedy), by the numbers that blocks have on the way back from the ends:
/// who meets them has a higher one, and the end itself the highest.
class BackwardOrder {
public:
  /// Without the blocks `left`. Ways end at `ends`, and where nothing follows.
  BackwardOrder(llvm::Function &function, const ConstBlockSet &left, const ConstBlockSet &ends)
      : left_(left), ends_(ends) {
    for (llvm::BasicBlock &block : function)
      if (ends_.contains(&block) || llvm::succ_empty(&block)) beginAt(block);
    for (llvm::BasicBlock &block : function) beginAt(block); // a loop without an end
  }

  template <typename Tell> void tellMeetings(Tell tell) {
    const unsigned end = unsigned(blocks_.size());
    llvm::SmallVector<unsigned, 32> meetings(blocks_.size(), kUnknown);
    for (bool changes = true; changes;) {
      changes = false;
      for (unsigned i = end; i-- > 0;) {
        unsigned meeting = ends_.contains(blocks_[i]) ? end : kUnknown;
        for (const llvm::BasicBlock *next : llvm::successors(blocks_[i])) {
          if (left_.contains(next)) continue;
          unsigned other = numbers_.lookup(next);
          if (meetings[other] == kUnknown) continue;
          while (meeting != kUnknown && meeting != other)
            (meeting < other ? meeting : other) = meetings[std::min(meeting, other)];
          meeting = other;
        }
        changes |= std::exchange(meetings[i], meeting) != meeting;
      }
    }
    for (unsigned i = 0; i < end; ++i)
      if (meetings[i] < end) tell(blocks_[i], blocks_[meetings[i]]);
  }

private:
  static constexpr unsigned kUnknown = ~0u;

  void beginAt(llvm::BasicBlock &last) {
    if (left_.contains(&last) || !seen_.insert(&last).second) return;
    ends_.insert(&last);
    llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::pred_iterator>, 16> open{{&last, llvm::pred_begin(&last)}};
    while (!open.empty()) {
      auto &[block, before] = open.back();
      if (before == llvm::pred_end(block)) {
        numbers_[block] = unsigned(blocks_.size());
        blocks_.push_back(block);
        open.pop_back();
      } else if (llvm::BasicBlock *next = *before++; seen_.insert(next).second) {
        open.emplace_back(next, llvm::pred_begin(next));
      }
    }
  }

  const ConstBlockSet &left_;
  ConstBlockSet seen_, ends_;
  llvm::SmallVector<llvm::BasicBlock *, 32> blocks_;
  Positions numbers_;
};

/// Blocks to which ways lead from both sides of a branch that have no block in common before. Behind the one where all
/// ways meet there is none.
Blocks meetingsBehind(llvm::BasicBlock &branch, const Meetings &all, const Positions &positions) {
  auto apart = blocksApart(branch, all).takeVector();
  if (llvm::BasicBlock *last = all.behind(branch)) apart.push_back(last);
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

bool isOneValue(const llvm::PHINode &phi, NothingIs nothing) {
  return nothing == NothingIs::TheSame ? phi.hasConstantOrUndefValue() : phi.hasConstantValue() != nullptr;
}

} // namespace

Meetings::Meetings(llvm::Function &function) {
  const ConstBlockSet ending = blocksBeforeTheEnd(function);
  BackwardOrder(function, ending, {}).tellMeetings([&](auto *block, auto *meeting) { meetings_[block] = meeting; });
}

Meetings::Meetings(llvm::Function &function, const ConstBlockSet &ends) {
  const ConstBlockSet leading = blocksThatLeadTo(ends);
  ConstBlockSet others;
  for (const llvm::BasicBlock &block : function)
    if (!leading.contains(&block)) others.insert(&block);
  BackwardOrder(function, others, ends).tellMeetings([&](auto *block, auto *meeting) { meetings_[block] = meeting; });
}

ConstBlockSet blocksThatLeadTo(const ConstBlockSet &ends) {
  ConstBlockSet leading;
  llvm::SmallVector<const llvm::BasicBlock *, 16> open(ends.begin(), ends.end());
  while (!open.empty())
    if (const llvm::BasicBlock *block = open.pop_back_val(); leading.insert(block).second)
      open.append(llvm::pred_begin(block), llvm::pred_end(block));
  return leading;
}

Blocks blocksApart(llvm::BasicBlock &branch, const Meetings &meetings) {
  const llvm::BasicBlock *meeting = meetings.behind(branch);
  Blocks apart;
  llvm::SmallVector<llvm::BasicBlock *, 16> open(llvm::successors(&branch));
  while (!open.empty()) {
    llvm::BasicBlock *block = open.pop_back_val();
    if (block != meeting && apart.insert(block)) open.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return apart;
}

namespace {

/// Adds the phis of such blocks that the analysis takes for uniform; false: there are none.
bool addChosenApart(llvm::Function &function, llvm::UniformityInfo &uniformity, const Meetings &meetings,
                    NothingIs nothing, llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis) {
  const size_t before = phis.size();
  Positions positions;
  for (llvm::BasicBlock &block : function) {
    if (!uniformity.hasDivergentTerminator(block)) continue;
    if (positions.empty()) positions = positionsOf(function);
    for (llvm::BasicBlock *meeting : meetingsBehind(block, meetings, positions))
      for (llvm::PHINode &phi : meeting->phis())
        if (!uniformity.isDivergent(&phi) && !isOneValue(phi, nothing)) phis.insert(&phi);
  }
  return phis.size() != before;
}

} // namespace

llvm::UniformityInfo uniformityOf(llvm::Function &function, const llvm::DominatorTree &dominators,
                                  const llvm::CycleInfo &cycles, const llvm::TargetTransformInfo &items,
                                  const Meetings &meetings, NothingIs nothing,
                                  llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis) {
  for (;;) {
    llvm::UniformityInfo info(dominators, cycles, &items);
    info.compute();
    if (!addChosenApart(function, info, meetings, nothing, phis)) return info;
  }
}

} // namespace us::codegen
