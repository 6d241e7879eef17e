// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/keep_barrier_loops.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {

llvm::PreservedAnalyses KeepBarrierLoops::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  constexpr unsigned kFewTurns = 4, kMostInstructions = 150;
  llvm::Function &kernel = *module.getFunction(request.kernel);
  const auto barriers = machineCalls(kernel, "barrier");
  if (barriers.empty()) return llvm::PreservedAnalyses::all();
  llvm::FunctionAnalysisManager &functions = functionAnalyses(module, manager);
  auto &loops = functions.getResult<llvm::LoopAnalysis>(kernel);
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  for (llvm::CallInst *barrier : barriers)
    for (llvm::Loop *loop = loops.getLoopFor(barrier->getParent()); loop; loop = loop->getParentLoop()) {
      const unsigned turns = evolution.getSmallConstantTripCount(loop);
      unsigned size = 0, waits = 0;
      for (llvm::BasicBlock *block : loop->blocks()) size += unsigned(block->size());
      for (llvm::CallInst *other : barriers) waits += loop->contains(other);
      const bool isShort = waits == 1 && turns * size <= kMostInstructions;
      if (turns == 0 || (turns > kFewTurns && !isShort))
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
    }
  return llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
