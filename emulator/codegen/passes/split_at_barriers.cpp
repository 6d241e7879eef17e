// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/split_at_barriers.h"

#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/Module.h>

namespace us::codegen {

namespace {

bool standsAlone(llvm::CallInst &call) {
  llvm::BasicBlock *block = call.getParent();
  return &block->front() == &call && call.getNextNode()->isTerminator() && block->getSinglePredecessor() &&
         block->getSinglePredecessor()->getSingleSuccessor() && block->getSingleSuccessor() &&
         block->getSingleSuccessor()->getSinglePredecessor();
}

} // namespace

llvm::PreservedAnalyses SplitAtBarriers::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  bool changed = false;
  for (const llvm::StringRef name : kRegionEnds)
    for (llvm::CallInst *call : machineCalls(kernel, name)) {
      if (standsAlone(*call)) continue;
      changed = true;
      call->getParent()->splitBasicBlock(call, name);
      call->getParent()->splitBasicBlock(call->getNextNode(), llvm::Twine("after.") + name);
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
