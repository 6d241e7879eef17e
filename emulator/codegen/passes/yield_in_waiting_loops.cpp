// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/yield_in_waiting_loops.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/memory_watching.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/passes/mark_forward_progress.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace us::codegen {

llvm::PreservedAnalyses YieldInWaitingLoops::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  const bool isChecked = abi::isIn(request.specialization.instrumentation, abi::CheckClass::Progress);
  if (request.specialization.tier != abi::Tier::Fiber && !isChecked && !kernel.hasFnAttribute(kForwardProgress))
    return llvm::PreservedAnalyses::all();
  const auto &waiting = functionAnalyses(module, manager).getResult<WaitingLoopsAnalysis>(kernel).loops;
  struct BackEdge {
    llvm::BasicBlock *from, *to;
    llvm::DebugLoc place;
  };
  llvm::SmallVector<BackEdge, 8> backEdges;
  for (llvm::Loop *loop : waiting) {
    llvm::SmallVector<llvm::BasicBlock *, 2> latches;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock *latch : latches) {
      const llvm::DebugLoc place = latch->getTerminator()->getDebugLoc();
      backEdges.push_back({latch, loop->getHeader(), place ? place : loop->getStartLoc()});
    }
  }
  for (const BackEdge &edge : backEdges) {
    // Not on the way out: who has got a lock should go on.
    llvm::BasicBlock *block = edge.from;
    if (block->getTerminator()->getNumSuccessors() > 1) block = llvm::SplitEdge(block, edge.to);
    llvm::IRBuilder<> builder(block->getTerminator());
    builder.SetCurrentDebugLocation(edge.place);
    createMachineCall(builder, "yield", builder.getVoidTy());
  }
  return waiting.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
