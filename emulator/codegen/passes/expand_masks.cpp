// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/expand_masks.h"

#include "emulator/codegen/vectorize/cost.h"

#include <llvm/ADT/APInt.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

/// A sum or difference one of whose numbers is a mask's lanes as 0 and 1, or 0 and -1: chosen by the mask.
llvm::Value *chosenSum(llvm::IRBuilder<> &builder, llvm::BinaryOperator &sum) {
  const bool isSum = sum.getOpcode() == llvm::Instruction::Add;
  if (!isSum && sum.getOpcode() != llvm::Instruction::Sub) return nullptr;
  for (const unsigned operand : {1, 0}) {
    auto *const lanes = llvm::dyn_cast<llvm::CastInst>(sum.getOperand(operand));
    if (!lanes || !lanes->hasOneUse() || !lanes->getSrcTy()->isIntOrIntVectorTy(1)) continue;
    if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(lanes) || (operand == 0 && !isSum)) continue;
    const bool goesDown = llvm::isa<llvm::SExtInst>(lanes) == isSum;
    llvm::Value *const number = sum.getOperand(1 - operand);
    llvm::Constant *const step = llvm::ConstantInt::get(sum.getType(), goesDown ? -1 : 1, /*IsSigned=*/true);
    return builder.CreateSelect(lanes->getOperand(0), builder.CreateAdd(number, step), number);
  }
  return nullptr;
}

/// Where a mask chooses between a number and the same one with some bits of another: the mask chooses whose bits.
llvm::Value *chosenBits(llvm::IRBuilder<> &builder, llvm::SelectInst &select) {
  using namespace llvm::PatternMatch;
  if (!select.getType()->isIntOrIntVectorTy() || !select.getCondition()->getType()->isVectorTy()) return nullptr;
  for (const bool isFirst : {true, false}) {
    llvm::Value *joined = select.getTrueValue(), *number = select.getFalseValue(), *other;
    if (!isFirst) std::swap(joined, number);
    llvm::Constant *own, *others;
    const auto kept = m_And(m_Specific(number), m_ImmConstant(own));
    if (!match(joined, m_OneUse(m_c_Or(kept, m_And(m_Value(other), m_ImmConstant(others)))))) continue;
    if (llvm::ConstantExpr::getNot(own) != others) continue;
    llvm::Value *const from =
        builder.CreateSelect(select.getCondition(), isFirst ? other : number, isFirst ? number : other);
    return builder.CreateOr(builder.CreateAnd(number, own), builder.CreateAnd(from, others));
  }
  return nullptr;
}

/// A constant, of whose lanes that are nothing those of another are.
llvm::Constant *withLanesOf(llvm::Constant &constant, llvm::Constant &other, unsigned lanes) {
  llvm::SmallVector<llvm::Constant *> all;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    llvm::Constant *const own = constant.getAggregateElement(lane), *const others = other.getAggregateElement(lane);
    if (!own || !others) return &constant;
    all.push_back(llvm::isa<llvm::UndefValue>(own) ? others : own);
  }
  return llvm::ConstantVector::get(all);
}

/// Where a mask chooses between constants of which one has no number for some lanes: it has the other's there.
llvm::Value *chosenConstants(llvm::IRBuilder<> &builder, llvm::SelectInst &select, unsigned lanes) {
  auto *const ifTrue = llvm::dyn_cast<llvm::Constant>(select.getTrueValue());
  auto *const ifFalse = llvm::dyn_cast<llvm::Constant>(select.getFalseValue());
  if (!ifTrue || !ifFalse || !select.getCondition()->getType()->isVectorTy()) return nullptr;
  llvm::Constant *const first = withLanesOf(*ifTrue, *ifFalse, lanes);
  llvm::Constant *const second = withLanesOf(*ifFalse, *ifTrue, lanes);
  return first == ifTrue && second == ifFalse ? nullptr : builder.CreateSelect(select.getCondition(), first, second);
}

/// What the instruction is to be instead; null: itself.
llvm::Value *expanded(llvm::IRBuilder<> &builder, llvm::Instruction &instruction, bool hasMaskRegisters) {
  auto *const type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!type) return nullptr;
  if (auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(&instruction); sum && hasMaskRegisters)
    return chosenSum(builder, *sum);
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction); select && hasMaskRegisters)
    if (llvm::Value *const value = chosenBits(builder, *select)) return value;
  const unsigned lanes = type->getNumElements();
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    if (llvm::Value *const value = chosenConstants(builder, *select, lanes)) return value;
  if (!type->getElementType()->isIntegerTy(1)) return nullptr;
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    if (select->getCondition()->getType()->isVectorTy()) return nullptr;
    return builder.CreateSelect(builder.CreateVectorSplat(lanes, select->getCondition()), select->getTrueValue(),
                                select->getFalseValue());
  }
  if (llvm::isa<llvm::BitCastInst>(instruction) && instruction.getOperand(0)->getType()->isIntegerTy()) {
    llvm::SmallVector<llvm::Constant *> bits;
    for (unsigned lane = 0; lane < lanes; ++lane)
      bits.push_back(builder.getInt(llvm::APInt::getOneBitSet(lanes, lane)));
    llvm::Value *const number = builder.CreateVectorSplat(lanes, instruction.getOperand(0));
    return builder.CreateIsNotNull(builder.CreateAnd(number, llvm::ConstantVector::get(bits)));
  }
  return nullptr;
}

} // namespace

llvm::PreservedAnalyses ExpandMasks::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  const bool hasMaskRegisters = costs && costs->hasMaskRegisters();
  bool changed = false;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IRBuilder<> builder(&instruction);
      llvm::Value *const value = expanded(builder, instruction, hasMaskRegisters);
      if (!value) continue;
      value->takeName(&instruction);
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
