// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/unroll_loop.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>

namespace us::codegen {

llvm::LoopUnrollResult unrollLoop(llvm::Loop &loop, const llvm::UnrollLoopOptions &options,
                                  llvm::FunctionAnalysisManager &analyses) {
  llvm::Function &function = *loop.getHeader()->getParent();
  llvm::OptimizationRemarkEmitter remarks(&function);
  return llvm::UnrollLoop(&loop, options, &analyses.getResult<llvm::LoopAnalysis>(function),
                          &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
                          &analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                          &analyses.getResult<llvm::AssumptionAnalysis>(function),
                          &analyses.getResult<llvm::TargetIRAnalysis>(function), &remarks, /*PreserveLCSSA=*/true);
}

} // namespace us::codegen
