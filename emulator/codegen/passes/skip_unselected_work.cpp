// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/skip_unselected_work.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace us::codegen {
namespace {

// In instructions, of which two are done in a cycle. A mispredicted branch costs about 20 cycles, which is what this
// much vector work takes at least.
constexpr unsigned kWorthABranch = 40;
// What vectors of 32 bits wait for; those of 64 wait twice as long.
constexpr unsigned kDivision = 16, kSquareRoot = 24;

using Work = llvm::SmallPtrSet<llvm::Instruction *, 32>;

struct Group {
  llvm::SmallVector<llvm::SelectInst *, 4> selects; ///< of one mask, in order
  unsigned side;                                    ///< the operand whose work is skipped: 1 true, 2 false
};

bool isVectorMask(const llvm::Value *condition) {
  return llvm::isa<llvm::FixedVectorType>(condition->getType()) && !llvm::isa<llvm::Constant>(condition);
}

unsigned costOf(const llvm::Instruction &instruction) {
  const unsigned registers = instruction.getType()->getScalarSizeInBits() == 64 ? 2 : 1;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return kDivision * registers;
  default:
    break;
  }
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::sqrt ? kSquareRoot * registers : 1;
}

/// May stand after what lies between it and the select. `writes`: something between may write memory.
bool isMovable(const llvm::Instruction &instruction, bool writes) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator() || llvm::isa<llvm::AllocaInst>(instruction))
    return false;
  if (instruction.mayHaveSideEffects()) return false;
  return !writes || !instruction.mayReadFromMemory();
}

/// Whether what a select chooses there is calculated for it, and maybe others of the group.
bool isWork(const llvm::SelectInst &select, const Group &group) {
  auto *value = llvm::dyn_cast<llvm::Instruction>(select.getOperand(group.side));
  return value && value->getParent() == select.getParent() && llvm::all_of(value->uses(), [&](const llvm::Use &use) {
           auto *user = llvm::dyn_cast<llvm::SelectInst>(use.getUser());
           return user && use.getOperandNo() == group.side && llvm::is_contained(group.selects, user);
         });
}

/// What only the chosen sides of the selects need, of the instructions before the first select.
Work workOf(const Group &group) {
  Work work;
  bool writes = false;
  auto neededElsewhere = [&](llvm::Instruction &instruction) {
    for (llvm::Use &use : instruction.uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (work.contains(user)) continue;
      auto *select = llvm::dyn_cast<llvm::SelectInst>(user);
      if (!select || !llvm::is_contained(group.selects, select) || use.getOperandNo() != group.side) return true;
    }
    return false;
  };
  llvm::BasicBlock *block = group.selects.front()->getParent();
  for (auto at = std::next(group.selects.front()->getReverseIterator()); at != block->rend(); ++at) {
    if (!at->use_empty() && isMovable(*at, writes) && !neededElsewhere(*at)) work.insert(&*at);
    writes |= at->mayWriteToMemory();
  }
  return work;
}

unsigned costOf(const Work &work) {
  unsigned cost = 0;
  for (const llvm::Instruction *instruction : work) cost += costOf(*instruction);
  return cost;
}

/// Selects of the first one's mask whose operands exist before it: they can be decided together with it.
Group groupOf(llvm::SelectInst &first, unsigned side) {
  Group group{{&first}, side};
  auto existsBefore = [&](llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || instruction->getParent() != first.getParent() || llvm::isa<llvm::PHINode>(instruction) ||
           instruction->comesBefore(&first);
  };
  for (llvm::User *user : first.getCondition()->users()) {
    auto *other = llvm::dyn_cast<llvm::SelectInst>(user);
    if (!other || other == &first || other->getCondition() != first.getCondition()) continue;
    if (other->getParent() != first.getParent() || !first.comesBefore(other)) continue;
    if (existsBefore(other->getTrueValue()) && existsBefore(other->getFalseValue())) group.selects.push_back(other);
  }
  return group;
}

llvm::Value *someLaneSelects(llvm::IRBuilder<> &builder, llvm::Value *mask, unsigned side) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  llvm::Value *bits = builder.CreateBitCast(mask, builder.getIntNTy(lanes));
  return builder.CreateICmpNE(bits, side == 1 ? builder.getIntN(lanes, 0)
                                              : llvm::Constant::getAllOnesValue(builder.getIntNTy(lanes)));
}

/// The first select starts a block of its own; the work and the selects go into a block before it.
void branchAround(const Group &group, const Work &work) {
  llvm::SelectInst *first = group.selects.front();
  llvm::BasicBlock *before = first->getParent();
  llvm::SmallVector<llvm::Instruction *, 64> ordered;
  for (llvm::Instruction &instruction : *before)
    if (work.contains(&instruction)) ordered.push_back(&instruction);

  llvm::IRBuilder<> builder(first);
  builder.SetCurrentDebugLocation(first->getDebugLoc());
  llvm::Value *needed = someLaneSelects(builder, first->getCondition(), group.side);
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(needed, first->getIterator(), /*Unreachable=*/false);
  llvm::BasicBlock *selected = end->getParent(), *joined = first->getParent();
  for (llvm::Instruction *instruction : ordered) instruction->moveBefore(end);
  for (llvm::SelectInst *select : group.selects) {
    llvm::Value *other = select->getOperand(3 - group.side);
    select->moveBefore(end);
    llvm::PHINode *result = llvm::PHINode::Create(select->getType(), 2, "", joined->begin());
    result->setDebugLoc(select->getDebugLoc());
    select->replaceAllUsesWith(result);
    result->addIncoming(select, selected);
    result->addIncoming(other, before);
  }
}

bool skipIn(llvm::BasicBlock &block) {
  for (llvm::Instruction &instruction : block) {
    auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (!select || !isVectorMask(select->getCondition())) continue;
    for (unsigned side : {1u, 2u}) {
      const Group group = groupOf(*select, side);
      if (llvm::none_of(group.selects, [&](llvm::SelectInst *one) { return isWork(*one, group); })) continue;
      const Work work = workOf(group);
      if (costOf(work) < kWorthABranch) continue;
      branchAround(group, work);
      return true;
    }
  }
  return false;
}

} // namespace

llvm::PreservedAnalyses SkipUnselectedWork::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  bool changed = false;
  for (llvm::Function &function : module) {
    llvm::SetVector<llvm::BasicBlock *> blocks;
    for (llvm::BasicBlock &block : function) blocks.insert(&block);
    // What follows a branch is looked at again; what was moved is not: its own selects stay inside.
    while (!blocks.empty()) {
      llvm::BasicBlock *block = blocks.pop_back_val();
      if (!skipIn(*block)) continue;
      changed = true;
      blocks.insert(block->getTerminator()->getSuccessor(1));
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
