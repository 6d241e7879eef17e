// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/expand_masks.h"

#include <llvm/ADT/APInt.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// What the instruction is to be instead; null: itself.
llvm::Value *expanded(llvm::IRBuilder<> &builder, llvm::Instruction &instruction) {
  auto *const type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!type || !type->getElementType()->isIntegerTy(1)) return nullptr;
  const unsigned lanes = type->getNumElements();
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
  bool changed = false;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IRBuilder<> builder(&instruction);
      llvm::Value *const value = expanded(builder, instruction);
      if (!value) continue;
      value->takeName(&instruction);
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
