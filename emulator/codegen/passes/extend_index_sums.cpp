// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/extend_index_sums.h"

#include "emulator/codegen/machine_calls.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

constexpr unsigned kDeepest = 8;

/// Sums and products of ids and constants, none negative and none that wraps: the same of longer numbers. Null: it is
/// something else.
class Extender {
public:
  explicit Extender(llvm::Instruction &place) : builder_(&place), layout_(place.getDataLayout()) {}

  bool suits(llvm::Value &value, unsigned depth) {
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return !constant->isNegative();
    if (isId(value)) return hasId_ = true;
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    if (!operation || depth == kDeepest || !isSumOrProduct(*operation)) return false;
    return suits(*operation->getOperand(0), depth + 1) && suits(*operation->getOperand(1), depth + 1);
  }
  bool hasId() const { return hasId_; }

  llvm::Value *extend(llvm::Value &value) {
    llvm::Type *type = builder_.getInt64Ty();
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return llvm::ConstantInt::get(type, constant->getZExtValue());
    if (isId(value)) return llvm::cast<llvm::TruncInst>(value).getOperand(0);
    auto &operation = llvm::cast<llvm::BinaryOperator>(value);
    auto *made = llvm::BinaryOperator::Create(operation.getOpcode(), extend(*operation.getOperand(0)),
                                              extend(*operation.getOperand(1)));
    made->setHasNoSignedWrap();
    made->setHasNoUnsignedWrap();
    made->setDebugLoc(operation.getDebugLoc());
    return builder_.Insert(made, operation.getName());
  }

private:
  /// Of which the upper half is zero, and the lower half no negative number.
  bool isId(llvm::Value &value) const {
    auto *lower = llvm::dyn_cast<llvm::TruncInst>(&value);
    if (!lower || !lower->getType()->isIntegerTy(32) || !lower->getOperand(0)->getType()->isIntegerTy(64)) return false;
    auto *call = llvm::dyn_cast<llvm::CallInst>(lower->getOperand(0));
    return call && !machineName(call).empty() && llvm::computeKnownBits(call, layout_).countMinLeadingZeros() >= 33;
  }

  static bool isSumOrProduct(const llvm::BinaryOperator &operation) {
    switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
      return operation.hasNoSignedWrap();
    default:
      return false;
    }
  }

  llvm::IRBuilder<> builder_;
  const llvm::DataLayout &layout_;
  bool hasId_ = false;
};

} // namespace

llvm::PreservedAnalyses ExtendIndexSums::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  bool changed = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto *longer = llvm::dyn_cast<llvm::SExtInst>(&instruction);
    if (!longer || !longer->getType()->isIntegerTy(64) || !longer->getOperand(0)->getType()->isIntegerTy(32)) continue;
    Extender extender(instruction);
    if (!extender.suits(*longer->getOperand(0), 0) || !extender.hasId()) continue;
    longer->replaceAllUsesWith(extender.extend(*longer->getOperand(0)));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(longer);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
