// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_program_variables.h"

#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/module_variables.h"

#include <llvm/IR/Module.h>

namespace us::codegen {

llvm::PreservedAnalyses LowerProgramVariables::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::SmallVector<llvm::GlobalVariable *, 8> stored;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() != 3 && assignedOffset(variable)) stored.push_back(&variable);
  if (stored.empty()) return llvm::PreservedAnalyses::all();
  // They may refer to one another; the storage has their initial values already.
  for (llvm::GlobalVariable *variable : stored) {
    variable->setInitializer(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->setConstant(false);
  }
  for (llvm::Function &function : module) {
    llvm::Value *storage = nullptr;
    for (llvm::GlobalVariable *variable : stored) {
      if (function.isDeclaration() || !isUsedIn(function, *variable)) continue;
      if (!storage) {
        llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        storage = loadLaunchField(builder, builder.getPtrTy(1), offsetof(abi::LaunchContext, programVariables),
                                  "program.variables");
      }
      replaceByAddress(function, *variable, storage, *assignedOffset(*variable));
    }
  }
  for (llvm::GlobalVariable *variable : stored) {
    variable->removeDeadConstantUsers();
    if (variable->use_empty()) variable->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
