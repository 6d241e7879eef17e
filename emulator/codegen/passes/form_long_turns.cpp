// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/form_long_turns.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/unroll_loop.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

/// Instructions of a turn, of which five or six count and jump.
constexpr unsigned kShort = 16;
constexpr unsigned kTurns = 4;

bool isShort(const llvm::Loop &loop) {
  if (llvm::getBooleanLoopAttribute(&loop, "llvm.loop.isvectorized") || loop.getNumBlocks() != 1) return false;
  // Beside a call counting is little, and whoever is called may ask for its place in the code.
  if (llvm::any_of(*loop.getHeader(), [](const llvm::Instruction &one) {
        return llvm::isa<llvm::CallBase>(one) && !llvm::isa<llvm::IntrinsicInst>(one);
      }))
    return false;
  return loop.getHeader()->sizeWithoutDebug() <= kShort;
}

} // namespace

llvm::PreservedAnalyses FormLongTurns::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  llvm::FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  if (llvm::none_of(analyses.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder(),
                    [](const llvm::Loop *loop) { return isShort(*loop); }))
    return llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager shape;
  shape.addPass(llvm::LoopSimplifyPass());
  shape.addPass(llvm::LCSSAPass());
  analyses.invalidate(kernel, shape.run(kernel, analyses));
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(kernel);
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!isShort(*loop)) continue;
    const bool hasRest = evolution.getSmallConstantTripMultiple(loop, loop->getLoopLatch()) % kTurns != 0;
    // Work-items are many; of other loops the rest may be all there is.
    if (hasRest && !llvm::findOptionMDForLoop(loop, kWorkItemLoop)) continue;
    const llvm::UnrollLoopOptions options{.Count = kTurns,
                                          .Force = false,
                                          .Runtime = hasRest,
                                          .AllowExpensiveTripCount = true,
                                          .UnrollRemainder = false,
                                          .ForgetAllSCEV = false};
    unrollLoop(*loop, options, analyses);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
