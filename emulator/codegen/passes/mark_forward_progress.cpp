// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/mark_forward_progress.h"

#include <llvm/IR/Module.h>

namespace us::codegen {

llvm::PreservedAnalyses MarkForwardProgress::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  // What the kernel does not reach is no longer there.
  if (llvm::any_of(module, [](const llvm::Function &function) {
        return !function.use_empty() && function.getName().contains("sub_group");
      }))
    module.getFunction(request.kernel)->addFnAttr(kForwardProgress);
  return llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
