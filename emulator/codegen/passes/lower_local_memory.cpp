// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_local_memory.h"

#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/module_variables.h"

#include <llvm/IR/Module.h>

namespace us::codegen {

llvm::PreservedAnalyses LowerLocalMemory::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  for (llvm::CallInst *call : machineCalls(kernel, "exchange")) {
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(loadGroupField(builder, call->getType(), offsetof(abi::GroupContext, exchange)));
    call->eraseFromParent();
  }
  for (llvm::CallInst *call : machineCalls(kernel, "local_arena")) {
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(loadGroupField(builder, call->getType(), offsetof(abi::GroupContext, localArena), "arena"));
    call->eraseFromParent();
  }
  llvm::Value *arena = nullptr;
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    const auto offset = assignedOffset(variable);
    if (variable.getAddressSpace() != 3 || !offset) continue;
    if (!arena) {
      llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
      arena = loadGroupField(builder, variable.getType(), offsetof(abi::GroupContext, localArena), "arena");
    }
    replaceByAddress(kernel, variable, arena, *offset);
    if (variable.use_empty()) variable.eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
