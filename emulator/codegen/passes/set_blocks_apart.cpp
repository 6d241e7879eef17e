// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/set_blocks_apart.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// Used as a value, not only called.
bool isAddressTaken(const llvm::Function &function) {
  return llvm::any_of(function.uses(), [&](const llvm::Use &use) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  });
}

} // namespace

llvm::PreservedAnalyses SetBlocksApart::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  bool changed = false;
  for (llvm::Function &function : module) {
    if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL || function.isDeclaration() ||
        !isAddressTaken(function))
      continue;
    function.setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.addFnAttr("us-block-kernel");
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
