// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/split_sums.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/vectorize/cost.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace us::codegen {
namespace {

using namespace llvm;

/// What may be calculated again, of what is calculated.
constexpr float kMostRepeated = 0.1f;

using Phis = SmallSetVector<PHINode *, 16>;

/// What a value needs of a turn, and the sums that are among it.
struct Needs {
  SmallPtrSet<Instruction *, 32> instructions;
  Phis sums;
};

class SumSplitter {
public:
  SumSplitter(Loop &loop, const VectorCosts &costs) : block_(*loop.getHeader()), costs_(costs) {
    before_ = loop.getLoopPreheader();
    behind_ = loop.getUniqueExitBlock();
    for (PHINode &phi : block_.phis())
      if (phi.getType()->isVectorTy()) sums_.insert(&phi);
  }

  /// The sums of each loop that there will be; none, or one: it stays as it is.
  SmallVector<Phis, 4> groups() {
    unsigned all = 0;
    for (PHINode *sum : sums_) all += costs_.registersOf(*sum->getType());
    const unsigned most = costs_.carriedRegisters();
    if (all <= most || !before_ || !behind_) return {};
    for (Instruction &instruction : block_)
      if (instruction.mayHaveSideEffects() || (instruction.mayReadFromMemory() && !isa<LoadInst>(instruction)))
        return {};
    EquivalenceClasses<PHINode *> together;
    SmallPtrSet<Instruction *, 32> calculated;
    for (PHINode *sum : sums_) {
      Needs needs = needsOf(*sum);
      for (PHINode *other : needs.sums) together.unionSets(sum, other);
      together.insert(sum);
      calculated.insert(needs.instructions.begin(), needs.instructions.end());
    }
    for (Instruction &instruction : block_) {
      const bool isAsked = instruction.isTerminator() || instruction.isUsedOutsideOfBlock(&block_);
      if (!isAsked) continue;
      const Phis needed = needsOf(instruction).sums;
      if (instruction.isTerminator() && !needed.empty()) return {};
      for (PHINode *other : needed) together.unionSets(needed.front(), other);
    }
    const unsigned loops = divideCeil(all, most), each = divideCeil(all, loops);
    SmallVector<Phis, 4> groups(1);
    unsigned inGroup = 0;
    SmallPtrSet<PHINode *, 16> done;
    for (PHINode *sum : sums_) {
      if (done.contains(sum)) continue;
      if (inGroup >= each) groups.emplace_back(), inGroup = 0;
      for (auto one = together.findLeader(sum); one != together.member_end(); ++one) {
        done.insert(*one);
        groups.back().insert(*one);
        inGroup += costs_.registersOf(*(*one)->getType());
      }
    }
    unsigned work = 0;
    for (const Phis &group : groups) {
      SmallPtrSet<Instruction *, 32> needed;
      for (PHINode *sum : group) {
        const Needs needs = needsOf(*sum);
        needed.insert(needs.instructions.begin(), needs.instructions.end());
      }
      work += workOf(needed);
    }
    if (float(work) > (1 + kMostRepeated) * float(workOf(calculated))) return {};
    return groups;
  }

  void split(ArrayRef<Phis> groups) {
    Function &function = *block_.getParent();
    for (const Phis &group : groups.drop_back()) {
      ValueToValueMapTy map;
      BasicBlock *copy = BasicBlock::Create(function.getContext(), block_.getName(), &function, &block_);
      BasicBlock *next = BasicBlock::Create(function.getContext(), "sums", &function, &block_);
      for (Instruction &instruction : block_) {
        Instruction *made = instruction.clone();
        made->insertInto(copy, copy->end());
        map[&instruction] = made;
      }
      map[&block_] = copy;
      map[behind_] = next;
      for (Instruction &instruction : *copy) RemapInstruction(&instruction, map, RF_IgnoreMissingLocals);
      before_->getTerminator()->replaceSuccessorWith(&block_, copy);
      IRBuilder<>(next).CreateBr(&block_);
      for (PHINode &phi : block_.phis()) phi.replaceIncomingBlockWith(before_, next);
      // Behind the loops everybody takes this loop's.
      for (Instruction &instruction : block_) {
        if (!instruction.isUsedOutsideOfBlock(&block_)) continue;
        const Phis needed = needsOf(instruction).sums;
        if (!needed.empty() && group.contains(needed.front()))
          instruction.replaceUsesOutsideBlock(map[&instruction], &block_);
      }
      for (PHINode *sum : sums_)
        if (!group.contains(sum)) drop(*cast<PHINode>(map[sum]));
      for (PHINode *sum : group) drop(*sum);
      for (PHINode *sum : group) sums_.remove(sum);
      before_ = next;
    }
  }

private:
  /// What is loaded again from what is near costs little.
  static unsigned workOf(const SmallPtrSetImpl<Instruction *> &instructions) {
    return unsigned(count_if(instructions, [](const Instruction *one) {
      return one->getType()->isVectorTy() && !isa<LoadInst, PHINode, ShuffleVectorInst, InsertElementInst>(one);
    }));
  }

  Needs needsOf(Instruction &root) {
    Needs needs;
    SmallVector<Instruction *, 32> open;
    const auto add = [&](Value *value) {
      auto *instruction = dyn_cast<Instruction>(value);
      if (instruction && instruction->getParent() == &block_ && needs.instructions.insert(instruction).second)
        open.push_back(instruction);
    };
    add(&root);
    while (!open.empty()) {
      Instruction *one = open.pop_back_val();
      if (auto *phi = dyn_cast<PHINode>(one)) {
        if (sums_.contains(phi)) needs.sums.insert(phi);
        add(phi->getIncomingValueForBlock(&block_));
      } else {
        for (Value *operand : one->operands()) add(operand);
      }
    }
    return needs;
  }

  static void drop(PHINode &phi) {
    SmallVector<WeakTrackingVH, 4> maybeDead;
    for (Value *value : phi.incoming_values())
      if (isa<Instruction>(value)) maybeDead.push_back(value);
    phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
    phi.eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(maybeDead);
  }

  BasicBlock &block_, *before_ = nullptr, *behind_ = nullptr;
  const VectorCosts &costs_;
  Phis sums_;
};

} // namespace

PreservedAnalyses SplitSums::run(Module &module, ModuleAnalysisManager &manager) {
  Function &kernel = *module.getFunction(request.kernel);
  const VectorCosts *costs = vectorCosts(request.specialization.target);
  if (!costs) return PreservedAnalyses::all();
  const auto &loops = functionAnalyses(module, manager).getResult<LoopAnalysis>(kernel);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (loop->getNumBlocks() != 1) continue;
    SumSplitter splitter(*loop, *costs);
    const SmallVector<Phis, 4> groups = splitter.groups();
    if (groups.size() < 2) continue;
    splitter.split(groups);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace us::codegen
