// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/pipeline.h"

#include "emulator/codegen/passes/assign_memory_offsets.h"
#include "emulator/codegen/passes/check_alignment.h"
#include "emulator/codegen/passes/choose_vector_form.h"
#include "emulator/codegen/passes/extract_kernel.h"
#include "emulator/codegen/passes/form_global_ids.h"
#include "emulator/codegen/passes/form_item_entry.h"
#include "emulator/codegen/passes/form_work_item_loops.h"
#include "emulator/codegen/passes/inline_calls.h"
#include "emulator/codegen/passes/interchange_uniform_loops.h"
#include "emulator/codegen/passes/keep_barrier_loops.h"
#include "emulator/codegen/passes/limit_work_items.h"
#include "emulator/codegen/passes/lower_checks.h"
#include "emulator/codegen/passes/lower_kernel_arguments.h"
#include "emulator/codegen/passes/lower_launch_queries.h"
#include "emulator/codegen/passes/lower_local_memory.h"
#include "emulator/codegen/passes/lower_program_variables.h"
#include "emulator/codegen/passes/lower_runtime_calls.h"
#include "emulator/codegen/passes/mark_forward_progress.h"
#include "emulator/codegen/passes/recover_pointers.h"
#include "emulator/codegen/passes/skip_unselected_work.h"
#include "emulator/codegen/passes/specialise_images.h"
#include "emulator/codegen/passes/specialize_queries.h"
#include "emulator/codegen/passes/spill_across_barriers.h"
#include "emulator/codegen/passes/split_at_barriers.h"
#include "emulator/codegen/passes/trim_guarded_loops.h"
#include "emulator/codegen/passes/weaken_local_atomics.h"
#include "emulator/codegen/passes/yield_in_waiting_loops.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

namespace us::codegen {
namespace {

using namespace llvm;

InstCombinePass combine() { return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)); }

SimplifyCFGPass simplifyLate() {
  return SimplifyCFGPass(SimplifyCFGOptions()
                             .forwardSwitchCondToPhi(true)
                             .convertSwitchRangeToICmp(true)
                             .hoistCommonInsts(true)
                             .sinkCommonInsts(true));
}

void addChecks(ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(CheckAlignment());
  passes.addPass(LowerChecks(request));
}

} // namespace

Analyses::Analyses(TargetMachine *target)
    : loops(new LoopAnalysisManager), functions(new FunctionAnalysisManager), callGraph(new CGSCCAnalysisManager),
      module(new ModuleAnalysisManager) {
  // A user's function may have the name of a library function and mean something else.
  functions->registerPass([target] {
    TargetLibraryInfoImpl library(target ? target->getTargetTriple() : Triple());
    library.disableAllFunctions();
    for (LibFunc function : {LibFunc_memcpy, LibFunc_memmove, LibFunc_memset}) library.setAvailable(function);
    return TargetLibraryAnalysis(library);
  });
  PassBuilder builder(target);
  builder.registerModuleAnalyses(*module);
  builder.registerCGSCCAnalyses(*callGraph);
  builder.registerFunctionAnalyses(*functions);
  builder.registerLoopAnalyses(*loops);
  builder.crossRegisterProxies(*loops, *functions, *callGraph, *module);
}

Analyses::~Analyses() {
  module->clear();
  delete module;
  delete callGraph;
  delete functions;
  delete loops;
}

void addExtraction(ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(AssignMemoryOffsets(request));
  passes.addPass(ExtractKernel(request));
  passes.addPass(MarkForwardProgress(request));
  passes.addPass(SpecialiseImages(request));
  passes.addPass(InlineCalls(request));
  passes.addPass(SpecializeQueries(request));
  FunctionPassManager clean;
  clean.addPass(SROAPass(SROAOptions::ModifyCFG));
  clean.addPass(EarlyCSEPass(true));
  clean.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
}

void addEarlyOptimization(ModulePassManager &passes, const KernelRequest &request) {
  // While arguments still are arguments: what is known of them (noalias) is lost later. Nothing here may duplicate or
  // move a barrier, and nothing vectorizes.
  FunctionPassManager clean;
  clean.addPass(combine());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
  passes.addPass(FormGlobalIds(request));
  clean = FunctionPassManager();
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LICMPass(LICMOptions()));
  clean.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
  addChecks(passes, request);
  passes.addPass(YieldInWaitingLoops(request));
  passes.addPass(RecoverPointers());
  passes.addPass(KeepBarrierLoops(request));
  clean = FunctionPassManager();
  LoopPassManager count;
  count.addPass(IndVarSimplifyPass(/*WidenIndVars=*/true));
  count.addPass(LoopDeletionPass());
  count.addPass(LoopFullUnrollPass());
  clean.addPass(createFunctionToLoopPassAdaptor(std::move(count)));
  clean.addPass(SROAPass(SROAOptions::ModifyCFG));
  clean.addPass(GVNPass());
  clean.addPass(combine());
  clean.addPass(DSEPass());
  clean.addPass(ADCEPass());
  clean.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
}

void addLowering(ModulePassManager &passes, const KernelRequest &request) {
  if (request.specialization.baseline) addChecks(passes, request);
  passes.addPass(LowerRuntimeCalls(request));
  passes.addPass(LowerKernelArguments(request));
  passes.addPass(LowerLocalMemory(request));
  passes.addPass(LowerProgramVariables(request));
  passes.addPass(LowerLaunchQueries(request));
  passes.addPass(WeakenLocalAtomics(request));
  if (request.specialization.tier == Tier::Fiber || request.specialization.baseline) return;
  passes.addPass(LimitWorkItems(request));
  passes.addPass(ChooseVectorForm(request));
}

void addVectorSplitting(ModulePassManager &passes) {
  ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  FunctionPassManager split;
  split.addPass(ScalarizerPass(options));
  split.addPass(combine());
  split.addPass(EarlyCSEPass(false));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(split)));
}

void addTier(ModulePassManager &passes, const KernelRequest &request) {
  if (request.specialization.tier == Tier::Fiber) {
    passes.addPass(FormItemEntry(request));
    return;
  }
  FunctionPassManager loops;
  loops.addPass(LoopSimplifyPass());
  loops.addPass(LCSSAPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(loops)));
  passes.addPass(InterchangeUniformLoops(request));
  passes.addPass(SplitAtBarriers(request));
  passes.addPass(SpillAcrossBarriers(request));
  passes.addPass(FormWorkItemLoops(request));
}

void addOptimization(ModulePassManager &passes, const KernelRequest &request) {
  FunctionPassManager optimize;
  optimize.addPass(SROAPass(SROAOptions::ModifyCFG));
  optimize.addPass(EarlyCSEPass(true));
  optimize.addPass(SimplifyCFGPass());
  optimize.addPass(combine());
  if (request.specialization.tier == Tier::Loop) {
    LoopPassManager shape;
    shape.addPass(LoopRotatePass());
    shape.addPass(LICMPass(LICMOptions()));
    shape.addPass(SimpleLoopUnswitchPass());
    optimize.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(optimize)));
    passes.addPass(TrimGuardedLoops(request));
    optimize = FunctionPassManager();
    optimize.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
    optimize.addPass(LoopVectorizePass());
    optimize.addPass(combine());
    optimize.addPass(simplifyLate());
    optimize.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    optimize.addPass(EarlyCSEPass(false));
  } else {
    optimize.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    optimize.addPass(combine());
    optimize.addPass(simplifyLate());
  }
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(optimize)));
  if (request.specialization.tier == Tier::Loop) passes.addPass(SkipUnselectedWork());
}

void addBaselineCleaning(ModulePassManager &passes) {
  FunctionPassManager clean;
  clean.addPass(SROAPass(SROAOptions::ModifyCFG));
  clean.addPass(EarlyCSEPass(false));
  clean.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
}

} // namespace us::codegen
