// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/lower_relocatable.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace us::frontend::cuda {

llvm::PreservedAnalyses RegisterPart::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  auto *pointer = llvm::PointerType::get(module.getContext(), 0);
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__cudaRegisterLinkedBinary"))
      for (llvm::User *user : function.users())
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    llvm::IRBuilder<> builder(call);
    const auto part = module.getOrInsertFunction("__cudaRegisterFatBinaryPart", pointer, pointer);
    llvm::Value *handle = builder.CreateCall(part, {call->getArgOperand(1)});
    if (llvm::GlobalVariable *kept = module.getNamedGlobal("__cuda_gpubin_handle")) builder.CreateStore(handle, kept);
    builder.CreateCall(llvm::FunctionType::get(builder.getVoidTy(), {pointer}, false), call->getArgOperand(0),
                       {handle});
    call->eraseFromParent();
  }
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses JoinStatics::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  std::vector<std::pair<llvm::GlobalVariable *, llvm::GlobalVariable *>> same;
  for (llvm::GlobalVariable &variable : module.globals()) {
    const size_t at = variable.getName().find("__static__");
    if (variable.isDeclaration() || at == llvm::StringRef::npos) continue;
    llvm::GlobalVariable *other = module.getNamedGlobal(variable.getName().take_front(at));
    if (other && other->isDeclaration() && other->getType() == variable.getType()) same.push_back({other, &variable});
  }
  for (auto [declared, defined] : same) {
    declared->replaceAllUsesWith(defined);
    declared->eraseFromParent();
  }
  return same.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace us::frontend::cuda
