// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fiber tier: a stack for each work-item, which waits by changing to another. It runs every kernel.
#include "emulator/codegen/passes/form_item_entry.h"
#include "emulator/codegen/tiers/tier_rules.h"

#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace us::codegen {
namespace {

void formFibers(llvm::ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(FormItemEntry(request));
}

void optimizeFibers(llvm::ModulePassManager &passes, llvm::FunctionPassManager begun, const KernelRequest &) {
  begun.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  begun.addPass(combineInstructions());
  begun.addPass(simplifyLate());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(begun)));
}

} // namespace

const TierRules kFiberTier{
    .obstacle = [](const KernelInProgram &) { return std::string(); },
    .obstacleInCode = [](llvm::Function &, llvm::FunctionAnalysisManager &,
                         const KernelRequest &) { return std::string(); },
    .prepare = [](llvm::ModulePassManager &, const KernelRequest &) {},
    .form = formFibers,
    .optimize = optimizeFibers,
    .needsOptimizing = [](llvm::Function &) { return false; },
    .hoistsConstants = [](llvm::Function &) { return false; },
    .largestFrame = UINT64_MAX,
};

} // namespace us::codegen
