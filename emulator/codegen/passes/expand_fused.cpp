// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/expand_fused.h"

#include "emulator/codegen/host_target.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

llvm::Value *expanded(llvm::IRBuilder<> &builder, llvm::IntrinsicInst &call) {
  llvm::Type *const type = call.getType();
  llvm::Type *const wide = type->getWithNewType(builder.getDoubleTy()),
                    *bits = type->getWithNewType(builder.getInt64Ty());
  const auto number = [&](int64_t value) { return llvm::ConstantInt::getSigned(bits, value); };
  llvm::Value *values[3];
  for (unsigned at = 0; at < 3; ++at) values[at] = builder.CreateFPExt(call.getArgOperand(at), wide);
  llvm::Value *const product = builder.CreateFMul(values[0], values[1], "product");
  llvm::Value *const sum = builder.CreateFAdd(product, values[2], "sum");
  // Knuth's: exact whichever is larger.
  llvm::Value *const added = builder.CreateFSub(sum, product);
  llvm::Value *const lost = builder.CreateFAdd(builder.CreateFSub(product, builder.CreateFSub(sum, added)),
                                               builder.CreateFSub(values[2], added), "lost");
  // Not of NaN, which it is where the sum is no number: that is right as it is.
  llvm::Value *const isInexact = builder.CreateFCmpONE(lost, llvm::Constant::getNullValue(wide));
  llvm::Value *const sumBits = builder.CreateBitCast(sum, bits), *lostBits = builder.CreateBitCast(lost, bits);
  llvm::Value *const isEven = builder.CreateICmpEQ(builder.CreateAnd(sumBits, number(1)), number(0));
  llvm::Value *const differ = builder.CreateAShr(builder.CreateXor(sumBits, lostBits), number(63)); // 0, or -1
  llvm::Value *const odd = builder.CreateAdd(sumBits, builder.CreateOr(differ, number(1)));
  llvm::Value *const rounded = builder.CreateSelect(builder.CreateAnd(isInexact, isEven), odd, sumBits, "odd");
  return builder.CreateFPTrunc(builder.CreateBitCast(rounded, wide), type);
}

} // namespace

llvm::PreservedAnalyses ExpandFused::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (hasFma(request.specialization.target)) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fma || !call->getType()->getScalarType()->isFloatTy())
        continue;
      llvm::IRBuilder<> builder(call);
      llvm::Value *value = expanded(builder, *call);
      value->takeName(call);
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
