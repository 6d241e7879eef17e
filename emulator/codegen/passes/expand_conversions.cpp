// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/expand_conversions.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// 2^n or -2^n; infinite where the type ends before it.
llvm::Constant *power(llvm::Type *type, unsigned n, bool isNegative) {
  const llvm::APFloat one(type->getScalarType()->getFltSemantics(), 1);
  llvm::APFloat value = llvm::scalbn(one, int(n), llvm::APFloat::rmNearestTiesToEven);
  if (isNegative) value.changeSign();
  return llvm::ConstantFP::get(type, value);
}

llvm::Value *expand(llvm::IntrinsicInst &call, bool isSigned) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *x = call.getArgOperand(0);
  llvm::Type *type = call.getType(), *from = x->getType();
  const unsigned bits = type->getScalarSizeInBits();
  const auto number = [&](const llvm::APInt &value) { return llvm::ConstantInt::get(type, value); };
  if (!isSigned) {
    llvm::Value *inside = builder.CreateFPToUI(x, type);
    llvm::Value *isPositive = builder.CreateFCmpOGT(x, llvm::ConstantFP::getZero(from));
    llvm::Value *most = number(llvm::APInt::getMaxValue(bits));
    llvm::Value *above = builder.CreateSelect(builder.CreateFCmpOGE(x, power(from, bits, false)), most, inside);
    return builder.CreateSelect(isPositive, above, llvm::Constant::getNullValue(type));
  }
  llvm::Value *inside = builder.CreateFPToSI(x, type);
  llvm::Value *above = builder.CreateSelect(builder.CreateFCmpOGE(x, power(from, bits - 1, false)),
                                            number(llvm::APInt::getSignedMaxValue(bits)), inside);
  llvm::Value *below = builder.CreateSelect(builder.CreateFCmpOLE(x, power(from, bits - 1, true)),
                                            number(llvm::APInt::getSignedMinValue(bits)), above);
  return builder.CreateSelect(builder.CreateFCmpORD(x, llvm::ConstantFP::getZero(from)), below,
                              llvm::Constant::getNullValue(type));
}

} // namespace

llvm::PreservedAnalyses ExpandConversions::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  bool changed = false;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      const auto id = call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic;
      const bool isSigned = id == llvm::Intrinsic::fptosi_sat;
      if ((!isSigned && id != llvm::Intrinsic::fptoui_sat) || !call->getType()->isVectorTy()) continue;
      llvm::Value *made = expand(*call, isSigned);
      made->takeName(call);
      call->replaceAllUsesWith(made);
      call->eraseFromParent();
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
