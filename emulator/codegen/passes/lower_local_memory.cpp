// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_local_memory.h"

#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/module_variables.h"

#include <llvm/IR/Module.h>

namespace us::codegen {

namespace {

/// Where the last of the variables ends.
uint64_t sizeOfVariables(llvm::Module &module) {
  uint64_t size = 0;
  for (llvm::GlobalVariable &variable : module.globals())
    if (const auto offset = assignedOffset(variable); offset && variable.getAddressSpace() == 3)
      size = std::max<uint64_t>(size, *offset + module.getDataLayout().getTypeAllocSize(variable.getValueType()));
  return size;
}

void lowerLocalMemory(llvm::Function &function, uint64_t size) {
  for (llvm::CallInst *call : machineCalls(function, "exchange")) {
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(loadGroupField(builder, call->getType(), offsetof(abi::GroupContext, exchange)));
    call->eraseFromParent();
  }
  for (llvm::CallInst *call : machineCalls(function, "cluster_arena")) {
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(loadGroupField(builder, call->getType(), offsetof(abi::GroupContext, clusterArena)));
    call->eraseFromParent();
  }
  for (llvm::CallInst *call : machineCalls(function, "local_arena")) {
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(loadLocalArena(builder, call->getType()));
    call->eraseFromParent();
  }
  llvm::Value *arena = nullptr;
  for (llvm::GlobalVariable &variable : function.getParent()->globals()) {
    const auto offset = assignedOffset(variable);
    if (variable.getAddressSpace() != 3 || !offset || !isUsedIn(function, variable)) continue;
    if (!arena) {
      llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
      arena = loadLocalArena(builder, variable.getType(), size);
    }
    replaceByAddress(function, variable, arena, *offset);
  }
}

} // namespace

llvm::PreservedAnalyses LowerLocalMemory::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const uint64_t size = sizeOfVariables(module);
  // Beside the kernel there may be recursive functions.
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) lowerLocalMemory(function, size);
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals()))
    if (variable.getAddressSpace() == 3 && assignedOffset(variable) && variable.use_empty()) variable.eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
