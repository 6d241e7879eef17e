// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/decide_contraction.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace us::codegen {

namespace {

void separate(llvm::IntrinsicInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *product = builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1));
  call.replaceAllUsesWith(builder.CreateFAdd(product, call.getArgOperand(2), call.getName()));
  call.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses DecideContraction::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.copyFastMathFlags(llvm::FastMathFlags());
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fmuladd) continue;
      if (hasFma)
        call->setCalledFunction(llvm::Intrinsic::getDeclaration(&module, llvm::Intrinsic::fma, call->getType()));
      else
        separate(*call);
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
