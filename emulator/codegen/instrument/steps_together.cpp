// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/steps_together.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

namespace us::codegen {
namespace {

llvm::CycleInfo cyclesOf(llvm::Function &kernel) {
  llvm::CycleInfo cycles;
  cycles.compute(kernel);
  return cycles;
}

} // namespace

StepsTogether::StepsTogether(llvm::Function &kernel, const llvm::DominatorTree &dominators, IsBarrier isBarrier)
    : isBarrier_(std::move(isBarrier)), cycles_(cyclesOf(kernel)),
      uniformity_(Uniformity::compute(kernel, dominators, cycles_)) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> waiting, leading;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (isBarrier_(instruction)) waiting.insert(instruction.getParent());
  llvm::SmallVector<const llvm::BasicBlock *, 16> open(waiting.begin(), waiting.end());
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.pop_back_val();
    if (leading.insert(block).second) open.append(llvm::pred_begin(block), llvm::pred_end(block));
  }
  const llvm::PostDominatorTree postDominators(kernel);
  for (llvm::BasicBlock &block : kernel) {
    if (uniformity_.hasUniformBranch(block)) continue;
    llvm::SmallPtrSet<llvm::BasicBlock *, 4> arms(llvm::succ_begin(&block), llvm::succ_end(&block));
    llvm::SmallVector<llvm::BasicBlock *, 4> staying, ending;
    for (llvm::BasicBlock *arm : arms) (leading.contains(arm) ? staying : ending).push_back(arm);
    if (staying.size() == 1) {
      setApart(ending, nullptr); // who goes there has seen the last barrier
      continue;
    }
    auto *node = postDominators.getNode(&block);
    auto *meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    staying.append(ending);
    setApart(staying, meeting);
  }
  atBarriers_ = llvm::none_of(waiting, [&](const llvm::BasicBlock *block) { return apart_.contains(block); });
}

void StepsTogether::setApart(llvm::ArrayRef<llvm::BasicBlock *> from, const llvm::BasicBlock *meeting) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen;
  llvm::SmallVector<llvm::BasicBlock *, 16> open(from.begin(), from.end());
  while (!open.empty()) {
    llvm::BasicBlock *block = open.pop_back_val();
    if (block == meeting || !seen.insert(block).second) continue;
    apart_.insert(block);
    open.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
}

void Interval::walk(llvm::SmallVector<llvm::Instruction *, 8> open, llvm::function_ref<void(llvm::Instruction &)> act,
                    const llvm::Instruction *end, const llvm::BasicBlock *from, const llvm::BasicBlock *to) const {
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
  while (!open.empty()) {
    llvm::Instruction *one = open.pop_back_val();
    llvm::BasicBlock *block = one->getParent();
    for (; one && !steps_.isBarrier()(*one); one = one->getNextNode()) {
      act(*one);
      if (one == end) break;
    }
    if (one) continue;
    for (llvm::BasicBlock *next : llvm::successors(block))
      if (!(block == from && next == to) && seen.insert(next).second) open.push_back(&next->front());
  }
}

Interval::Instructions Interval::reached(const llvm::Instruction *end, const llvm::BasicBlock *from,
                                         const llvm::BasicBlock *to) const {
  Instructions found;
  walk({&first_}, [&](llvm::Instruction &one) { found.insert(&one); }, end, from, to);
  return found;
}

bool Interval::repeats(llvm::Instruction &instruction) const {
  bool again = false;
  llvm::SmallVector<llvm::Instruction *, 8> behind;
  if (llvm::Instruction *next = instruction.getNextNode())
    behind.push_back(next);
  else
    for (llvm::BasicBlock *block : llvm::successors(instruction.getParent())) behind.push_back(&block->front());
  walk(behind, [&](llvm::Instruction &one) { again |= &one == &instruction; });
  return again;
}

bool Interval::isDoneOnceBefore(llvm::Instruction &instruction, llvm::Instruction &use) {
  const auto [known, isNew] = once_.try_emplace(&instruction);
  Once &once = known->second;
  if (isNew) {
    once.without = reached(&instruction, nullptr, nullptr);
    once.isDone = once.without.erase(&instruction);
    once.repeats = once.isDone && repeats(instruction);
  }
  return !once.isDone || (!once.repeats && !once.without.contains(&use));
}

bool Interval::excludes(llvm::Instruction &one, llvm::Instruction &other) {
  if (!waysAreKnown_) {
    waysAreKnown_ = true;
    for (llvm::Instruction *last : reached(nullptr, nullptr, nullptr)) {
      llvm::BasicBlock *block = last->getParent();
      if (!last->isTerminator() || last->getNumSuccessors() != 2 || last->getSuccessor(0) == last->getSuccessor(1) ||
          !steps_.behind(*block) || repeats(*last))
        continue;
      Way &way = ways_.emplace_back();
      for (unsigned i : {0u, 1u}) way.without[i] = reached(nullptr, block, last->getSuccessor(i));
    }
  }
  return llvm::any_of(ways_, [&](const Way &way) {
    const auto needs = [&](unsigned i, llvm::Instruction &what) { return !way.without[i].contains(&what); };
    return (needs(0, one) && needs(1, other)) || (needs(1, one) && needs(0, other));
  });
}

} // namespace us::codegen
