// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/whole_vectors.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

/// Instructions that are copied for one mask, and for all of a loop over work-items.
constexpr unsigned kLongestCopy = 200, kMostCopied = 400;

/// The mask of which a guard asks whether any lane is there; null: it asks something else.
llvm::Value *guardedMask(const llvm::BranchInst &guard) {
  llvm::Value *mask = nullptr;
  const bool asks =
      guard.isConditional() &&
      match(guard.getCondition(), m_SpecificICmp(llvm::CmpInst::ICMP_NE, m_BitCast(m_Value(mask)), m_Zero()));
  return asks && mask->getType()->isVectorTy() && !llvm::isa<llvm::Constant>(mask) ? mask : nullptr;
}

/// Whether it is calculated from what all lanes share and their numbers.
bool isOfNumbers(llvm::Value &mask) {
  llvm::SmallPtrSet<llvm::Value *, 16> seen;
  llvm::SmallVector<llvm::Value *, 16> open{&mask};
  while (!open.empty()) {
    llvm::Value *value = open.pop_back_val();
    if (llvm::isa<llvm::Constant>(value) || !value->getType()->isVectorTy() || !seen.insert(value).second) continue;
    if (match(value, m_Shuffle(m_InsertElt(m_Value(), m_Value(), m_Zero()), m_Value(), m_ZeroMask()))) continue;
    if (llvm::isa<llvm::PHINode>(value) ? !value->getType()->isIntOrIntVectorTy(1)
                                        : !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst,
                                                     llvm::SelectInst, llvm::FreezeInst, llvm::MinMaxIntrinsic>(value))
      return false;
    open.append(llvm::cast<llvm::User>(value)->value_op_begin(), llvm::cast<llvm::User>(value)->value_op_end());
  }
  return true;
}

bool isMaskedAccess(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_gather:
    return !llvm::isa<llvm::Constant>(call->getArgOperand(2));
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_scatter:
    return !llvm::isa<llvm::Constant>(call->getArgOperand(3));
  default:
    return false;
  }
}

/// Of a hole, lanes that all have a number but one: whether it is none of theirs, with one comparison of scalars. Null:
/// the mask is another.
llvm::Value *isBesideHole(llvm::Value &mask, llvm::IRBuilder<> &builder) {
  llvm::Value *numbers, *hole;
  if (!match(&mask, m_Not(m_SpecificICmp(llvm::CmpInst::ICMP_EQ, m_Value(numbers), m_Value(hole)))) &&
      !match(&mask, m_SpecificICmp(llvm::CmpInst::ICMP_NE, m_Value(numbers), m_Value(hole))))
    return nullptr;
  llvm::Value *first, *one;
  const auto repeated = [](llvm::Value *&value) {
    return m_Shuffle(m_InsertElt(m_Value(), m_Value(value), m_Zero()), m_Value(), m_ZeroMask());
  };
  llvm::Constant *steps;
  if (match(numbers, repeated(one))) std::swap(numbers, hole);
  if (!match(hole, repeated(one)) || !match(numbers, m_Add(repeated(first), m_Constant(steps)))) return nullptr;
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements();
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (!match(steps->getAggregateElement(lane), m_SpecificInt(lane))) return nullptr;
  return builder.CreateICmpUGE(builder.CreateSub(one, first), llvm::ConstantInt::get(one->getType(), lanes), "all");
}

/// What only some lanes need is calculated where some are asked.
void sink(llvm::Value *value, llvm::BasicBlock &to, const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &below) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || instruction->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(instruction)) return;
  if (!llvm::all_of(instruction->users(), [&](const llvm::User *user) {
        return !llvm::isa<llvm::PHINode>(user) && below.contains(llvm::cast<llvm::Instruction>(user)->getParent());
      }))
    return;
  instruction->moveBefore(to, to.getFirstInsertionPt());
  for (llvm::Value *operand : instruction->operands()) sink(operand, to, below);
}

void copyWithoutMask(llvm::BranchInst &guard, llvm::Value &mask, llvm::ArrayRef<llvm::BasicBlock *> blocks) {
  llvm::Function &function = *guard.getFunction();
  llvm::BasicBlock *before = guard.getParent(), *first = guard.getSuccessor(0);
  llvm::IRBuilder<> builder(&guard);
  llvm::Value *bits = llvm::cast<llvm::ICmpInst>(guard.getCondition())->getOperand(0);
  llvm::Value *all = isBesideHole(mask, builder);
  const bool isHole = all;
  if (!all) all = builder.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()), "all");
  llvm::BasicBlock *asked = llvm::SplitBlock(before, &guard);
  asked->setName("some");

  llvm::ValueToValueMapTy map;
  map[&mask] = llvm::Constant::getAllOnesValue(mask.getType());
  map[asked] = before;
  llvm::SmallVector<llvm::BasicBlock *, 8> copies;
  for (llvm::BasicBlock *block : blocks) {
    llvm::BasicBlock *made = llvm::CloneBasicBlock(block, map, ".whole", &function);
    made->moveBefore(asked);
    map[block] = made;
    copies.push_back(made);
  }
  llvm::remapInstructionsInBlocks(copies, map);
  for (llvm::BasicBlock *block : blocks)
    for (llvm::BasicBlock *next : llvm::successors(block)) {
      if (map.count(next)) continue;
      for (llvm::PHINode &phi : next->phis()) {
        llvm::Value *value = phi.getIncomingValueForBlock(block);
        llvm::Value *made = map.lookup(value);
        phi.addIncoming(made ? made : value, llvm::cast<llvm::BasicBlock>(map[block]));
      }
    }
  if (isHole) {
    llvm::SmallPtrSet<const llvm::BasicBlock *, 16> below(blocks.begin(), blocks.end());
    below.insert(asked);
    sink(guard.getCondition(), *asked, below);
  }
  builder.SetInsertPoint(before->getTerminator());
  builder.CreateCondBr(all, llvm::cast<llvm::BasicBlock>(map[first]), asked,
                       llvm::MDBuilder(function.getContext()).createLikelyBranchWeights());
  before->getTerminator()->eraseFromParent();
  for (llvm::BasicBlock *block : copies)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block))
      if (llvm::Value *known = llvm::simplifyInstruction(&instruction, {function.getDataLayout()})) {
        instruction.replaceAllUsesWith(known);
        if (llvm::isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
      }
}

} // namespace

void copyForWholeVectors(llvm::Function &function, llvm::ArrayRef<llvm::BranchInst *> guards) {
  llvm::DominatorTree dominators(function);
  llvm::SmallVector<llvm::BranchInst *, 8> outerFirst(guards);
  llvm::stable_sort(outerFirst, [&](const llvm::BranchInst *one, const llvm::BranchInst *other) {
    return dominators.getNode(one->getParent())->getLevel() < dominators.getNode(other->getParent())->getLevel();
  });
  struct Part {
    llvm::BranchInst *guard;
    llvm::Value *mask;
    llvm::SmallVector<llvm::BasicBlock *, 8> blocks;
  };
  llvm::SmallVector<Part, 4> parts;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> copied;
  unsigned left = kMostCopied;
  for (llvm::BranchInst *guard : outerFirst) {
    llvm::Value *mask = guardedMask(*guard);
    llvm::BasicBlock *first = guard->getSuccessor(0);
    if (!mask || copied.contains(guard->getParent()) || first->getSinglePredecessor() != guard->getParent() ||
        !isOfNumbers(*mask))
      continue;
    Part part{guard, mask, {}};
    dominators.getDescendants(first, part.blocks);
    unsigned size = 0;
    bool accesses = false;
    for (llvm::BasicBlock *block : part.blocks) {
      size += unsigned(block->size());
      accesses |= llvm::any_of(*block, isMaskedAccess);
    }
    if (!accesses || size > std::min(kLongestCopy, left)) continue;
    left -= size;
    copied.insert(part.blocks.begin(), part.blocks.end());
    parts.push_back(std::move(part));
  }
  for (Part &part : parts) copyWithoutMask(*part.guard, *part.mask, part.blocks);
}

} // namespace us::codegen
