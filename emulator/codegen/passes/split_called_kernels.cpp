// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/split_called_kernels.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace us::codegen {
namespace {

llvm::Function *calleeOf(llvm::Function &kernel) {
  llvm::ValueToValueMapTy values;
  llvm::Function *callee = llvm::CloneFunction(&kernel, values);
  callee->setName(kernel.getName() + ".callee");
  callee->setLinkage(llvm::GlobalValue::InternalLinkage);
  callee->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::DISubprogram *source = callee->getSubprogram();
  callee->clearMetadata();
  callee->setSubprogram(source);
  return callee;
}

} // namespace

llvm::PreservedAnalyses SplitCalledKernels::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::SmallVector<llvm::Function *> called;
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL && !function.isDeclaration() &&
        !function.use_empty())
      called.push_back(&function);
  for (llvm::Function *kernel : called) {
    llvm::Function *callee = calleeOf(*kernel);
    for (llvm::User *user : llvm::make_early_inc_range(kernel->users()))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    kernel->replaceAllUsesWith(callee);
  }
  return called.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
