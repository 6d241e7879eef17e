// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/guard_undefined_operations.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

/// True if no element of this constant divisor can trap.
bool isSafeDivisor(const llvm::Value *divisor, bool isSigned) {
  using namespace llvm::PatternMatch;
  auto safe = [&](const llvm::APInt &value) { return !value.isZero() && !(isSigned && value.isAllOnes()); };
  const llvm::APInt *splat = nullptr;
  if (match(divisor, m_APInt(splat))) return safe(*splat);
  auto *vector = llvm::dyn_cast<llvm::ConstantDataVector>(divisor);
  if (!vector) return false;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    if (!safe(vector->getElementAsAPInt(i))) return false;
  return true;
}

/// Divides by 1 instead where the division would trap: x / 0 is x, x % 0 is 0, MIN / -1 is MIN, MIN % -1 is 0.
void guardDivision(llvm::BinaryOperator &division) {
  const bool isSigned =
      division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  llvm::Value *divisor = division.getOperand(1);
  if (isSafeDivisor(divisor, isSigned)) return;
  llvm::Type *type = divisor->getType();
  llvm::IRBuilder<> builder(&division);
  llvm::Value *traps = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (isSigned) {
    llvm::Constant *lowest = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    llvm::Value *overflows = builder.CreateAnd(builder.CreateICmpEQ(division.getOperand(0), lowest),
                                               builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    traps = builder.CreateOr(traps, overflows);
  }
  division.setOperand(1, builder.CreateSelect(traps, llvm::ConstantInt::get(type, 1), divisor));
}

void saturateConversion(llvm::Instruction &conversion) {
  const bool isSigned = conversion.getOpcode() == llvm::Instruction::FPToSI;
  llvm::IRBuilder<> builder(&conversion);
  llvm::Value *saturated =
      builder.CreateIntrinsic(isSigned ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                              {conversion.getType(), conversion.getOperand(0)->getType()}, {conversion.getOperand(0)});
  saturated->takeName(&conversion);
  conversion.replaceAllUsesWith(saturated);
  conversion.eraseFromParent();
}

/// The constant with 0 in place of every element that is undefined or poison.
llvm::Constant *withoutUndefined(llvm::Constant *constant) {
  if (llvm::isa<llvm::UndefValue>(constant)) return llvm::Constant::getNullValue(constant->getType());
  auto *aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(constant);
  if (!aggregate) return constant;
  llvm::SmallVector<llvm::Constant *, 16> elements;
  bool hasChanged = false;
  for (llvm::Value *operand : aggregate->operands()) {
    auto *element = llvm::cast<llvm::Constant>(operand);
    elements.push_back(withoutUndefined(element));
    hasChanged |= elements.back() != element;
  }
  if (!hasChanged) return constant;
  if (auto *type = llvm::dyn_cast<llvm::StructType>(constant->getType()))
    return llvm::ConstantStruct::get(type, elements);
  if (auto *type = llvm::dyn_cast<llvm::ArrayType>(constant->getType()))
    return llvm::ConstantArray::get(type, elements);
  return llvm::ConstantVector::get(elements);
}

/// True for the vector of nothing that an insertion begins with or a shuffle of one vector has as its second.
bool isPlaceholder(const llvm::Use &use) {
  if (!llvm::isa<llvm::UndefValue>(use)) return false;
  if (llvm::isa<llvm::InsertElementInst, llvm::InsertValueInst>(use.getUser())) return use.getOperandNo() == 0;
  return llvm::isa<llvm::ShuffleVectorInst>(use.getUser()) && use.getOperandNo() == 1;
}

/// Clang folds a division of constants by zero to poison, and what it is used in too, before any pass sees it; SPIR-V
/// has OpUndef.
void replaceUndefined(llvm::Instruction &instruction) {
  for (llvm::Use &operand : instruction.operands()) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(operand);
    if (!constant || llvm::isa<llvm::GlobalValue>(constant) || isPlaceholder(operand)) continue;
    if (llvm::isa<llvm::TargetExtType>(constant->getType()) || constant->getType()->isTokenTy()) continue;
    operand.set(withoutUndefined(constant));
  }
}

/// Which instructions compute addresses: backwards from every index of an element address, through variables in
/// private memory (nothing is promoted to registers yet) and through calls. Ignores order, so it may find too many.
class AddressComputations {
public:
  explicit AddressComputations(llvm::Module &module) {
    for (llvm::Function &function : module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
          for (llvm::Value *index : element->indices()) visit(index);
    while (!pending_.empty()) follow(pending_.pop_back_val());
  }

  bool contains(const llvm::Instruction &instruction) const { return known_.contains(&instruction); }

private:
  void visit(llvm::Value *value) {
    if (llvm::isa<llvm::Instruction, llvm::Argument>(value) && known_.insert(value).second) pending_.push_back(value);
  }

  void follow(llvm::Value *value) {
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(value)) {
      for (llvm::User *user : argument->getParent()->users())
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
            call && call->getCalledFunction() == argument->getParent())
          visit(call->getArgOperand(argument->getArgNo()));
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand())) visitStored(*slot);
    } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(value)) {
      if (llvm::Function *callee = call->getCalledFunction()) visitReturned(*callee);
    } else if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst,
                         llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(value)) {
      for (llvm::Value *operand : llvm::cast<llvm::Instruction>(value)->operands()) visit(operand);
    }
  }

  void visitStored(llvm::AllocaInst &slot) {
    for (llvm::User *user : slot.users())
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getPointerOperand() == &slot)
        visit(store->getValueOperand());
  }

  void visitReturned(llvm::Function &function) {
    for (llvm::BasicBlock &block : function)
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()); end && end->getReturnValue())
        visit(end->getReturnValue());
  }

  llvm::DenseSet<const llvm::Value *> known_;
  llvm::SmallVector<llvm::Value *, 64> pending_;
};

} // namespace

llvm::PreservedAnalyses GuardUndefinedOperations::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const AddressComputations addresses(module);
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      replaceUndefined(instruction);
      switch (instruction.getOpcode()) {
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
        guardDivision(llvm::cast<llvm::BinaryOperator>(instruction));
        break;
      case llvm::Instruction::FPToSI:
      case llvm::Instruction::FPToUI:
        saturateConversion(instruction);
        continue;
      default:
        break;
      }
      if (!llvm::isa<llvm::GetElementPtrInst>(instruction) && !addresses.contains(instruction))
        instruction.dropPoisonGeneratingFlags();
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
