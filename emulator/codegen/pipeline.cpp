// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/pipeline.h"

#include "emulator/abi/check_classes.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/instrument/check_arithmetic.h"
#include "emulator/codegen/instrument/check_copies.h"
#include "emulator/codegen/instrument/check_images.h"
#include "emulator/codegen/instrument/check_memory.h"
#include "emulator/codegen/instrument/check_nan.h"
#include "emulator/codegen/instrument/check_order.h"
#include "emulator/codegen/instrument/check_printf.h"
#include "emulator/codegen/instrument/check_progress.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/instrument/check_uninitialized.h"
#include "emulator/codegen/instrument/count_lines.h"
#include "emulator/codegen/passes/assign_memory_offsets.h"
#include "emulator/codegen/passes/check_alignment.h"
#include "emulator/codegen/passes/copy_updated_arguments.h"
#include "emulator/codegen/passes/expand_fused.h"
#include "emulator/codegen/passes/expand_masks.h"
#include "emulator/codegen/passes/extend_differences.h"
#include "emulator/codegen/passes/extend_index_sums.h"
#include "emulator/codegen/passes/extract_kernel.h"
#include "emulator/codegen/passes/fold_zeros.h"
#include "emulator/codegen/passes/form_global_ids.h"
#include "emulator/codegen/passes/form_sorting_networks.h"
#include "emulator/codegen/passes/inline_calls.h"
#include "emulator/codegen/passes/join_indices.h"
#include "emulator/codegen/passes/keep_barrier_loops.h"
#include "emulator/codegen/passes/keep_disjoint_bits.h"
#include "emulator/codegen/passes/keep_filter_loops.h"
#include "emulator/codegen/passes/keep_warps_in_step.h"
#include "emulator/codegen/passes/loosen_alignment.h"
#include "emulator/codegen/passes/lower_checks.h"
#include "emulator/codegen/passes/lower_kernel_arguments.h"
#include "emulator/codegen/passes/lower_lane_reads.h"
#include "emulator/codegen/passes/lower_launch_queries.h"
#include "emulator/codegen/passes/lower_local_memory.h"
#include "emulator/codegen/passes/lower_lone_clusters.h"
#include "emulator/codegen/passes/lower_program_variables.h"
#include "emulator/codegen/passes/lower_runtime_calls.h"
#include "emulator/codegen/passes/mark_forward_progress.h"
#include "emulator/codegen/passes/mark_own_places.h"
#include "emulator/codegen/passes/recover_pointers.h"
#include "emulator/codegen/passes/rejoin_sums.h"
#include "emulator/codegen/passes/settle_sameness.h"
#include "emulator/codegen/passes/settle_turns.h"
#include "emulator/codegen/passes/specialize_images.h"
#include "emulator/codegen/passes/specialize_queries.h"
#include "emulator/codegen/passes/specialize_textures.h"
#include "emulator/codegen/passes/split_memory.h"
#include "emulator/codegen/passes/unroll_over_arrays.h"
#include "emulator/codegen/passes/weaken_local_atomics.h"
#include "emulator/codegen/passes/yield_in_waiting_loops.h"
#include "emulator/codegen/tiers/tier_rules.h"

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
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/StripNonLineTableDebugInfo.h>

namespace us::codegen {
namespace {

using namespace llvm;

const TierRules &rulesOf(const KernelRequest &request) { return tierRules(request.specialization.tier); }

void addChecks(ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(CheckAlignment());
  passes.addPass(LowerChecks(request));
}

void addExtract(ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(AssignMemoryOffsets(request));
  passes.addPass(ExtractKernel(request));
  passes.addPass(MarkForwardProgress(request));
  passes.addPass(SpecializeImages(request));
  passes.addPass(SpecializeTextures(request));
  passes.addPass(CheckArithmetic(request));
  passes.addPass(CheckNan(request));
  passes.addPass(CheckImages(request));
  passes.addPass(CheckCopies(request));
  passes.addPass(InlineCalls(request));
  passes.addPass(LowerLoneClusters(request));
  // Checks know memory and waits.
  if (request.specialization.instrumentation) passes.addPass(LowerLaneReads(request));
  passes.addPass(CountLines(request)); // blocks are still the source's
  passes.addPass(CheckMemory(request));
  passes.addPass(CheckPrintf(request));
  passes.addPass(CheckOrder(request));
  passes.addPass(CheckRaces(request));
  passes.addPass(CheckUninitialized(request));
  passes.addPass(LoosenAlignment()); // behind who says what is misaligned
  passes.addPass(SpecializeQueries(request));
}

void addSimplify(ModulePassManager &passes, const KernelRequest &request) {
  FunctionPassManager clean;
  // Most values are known to be written, but round a loop only for who takes it for granted at first. What is known
  // before the shadows of arrays are values leaves fewer places where ways meet, and these need one for each.
  const bool hasShadows = abi::isIn(request.specialization.instrumentation, abi::CheckClass::Uninitialized);
  if (hasShadows) clean.addPass(SCCPPass());
  if (hasShadows) clean.addPass(SimplifyCFGPass());
  clean.addPass(SROAPass(SROAOptions::ModifyCFG));
  clean.addPass(EarlyCSEPass(true));
  if (hasShadows) {
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
    passes.addPass(FoldZeros());
    clean = FunctionPassManager();
    clean.addPass(SCCPPass());
  }
  clean.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
  passes.addPass(SettleSameness(request));
  passes.addPass(KeepWarpsInStep(request)); // before anything moves accesses
}

/// What is known of arguments (noalias) is lost later. Nothing here may duplicate or move a barrier, and nothing
/// vectorizes.
void addImprove(ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(ExtendIndexSums(request));
  passes.addPass(ExtendDifferences(request));
  FunctionPassManager clean;
  clean.addPass(combineInstructions());
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
  passes.addPass(CheckProgress(request));
  passes.addPass(RecoverPointers());
  passes.addPass(KeepBarrierLoops(request));
  if (request.specialization.tier == abi::Tier::Loop) passes.addPass(KeepFilterLoops(request));
  passes.addPass(FormSortingNetworks());
  passes.addPass(SettleTurns());
  clean = FunctionPassManager();
  LoopPassManager count;
  count.addPass(IndVarSimplifyPass(/*WidenIndVars=*/true));
  count.addPass(LoopDeletionPass());
  count.addPass(LoopFullUnrollPass());
  clean.addPass(createFunctionToLoopPassAdaptor(std::move(count)));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
  passes.addPass(UnrollOverArrays(request));
  passes.addPass(SplitMemory(request));
  clean = FunctionPassManager();
  clean.addPass(GVNPass());
  clean.addPass(combineInstructions());
  clean.addPass(DSEPass());
  clean.addPass(ADCEPass());
  clean.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
  passes.addPass(LowerLaneReads(request));
  passes.addPass(RejoinSums(request));
  passes.addPass(JoinIndices(request));
  passes.addPass(MarkOwnPlaces(request));
  passes.addPass(CopyUpdatedArguments(request));
}

void addLower(ModulePassManager &passes, const KernelRequest &request) {
  if (request.specialization.baseline) {
    addChecks(passes, request);
    passes.addPass(LowerLaneReads(request));
  }
  passes.addPass(LowerRuntimeCalls(request));
  passes.addPass(LowerKernelArguments(request));
  passes.addPass(LowerLocalMemory(request));
  passes.addPass(LowerProgramVariables(request));
  passes.addPass(LowerLaunchQueries(request));
  // Optimized loops have it behind what puts work-items side by side.
  if (request.specialization.baseline || request.specialization.tier != abi::Tier::Loop)
    passes.addPass(WeakenLocalAtomics(request));
  passes.addPass(ExpandFused(request));
  passes.addPass(StripNonLineTableDebugInfoPass()); // nobody behind it asks for variables
  if (!request.specialization.baseline) rulesOf(request).prepare(passes, request);
}

void addSplitVectors(ModulePassManager &passes, const KernelRequest &) {
  ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  FunctionPassManager split;
  split.addPass(ScalarizerPass(options));
  split.addPass(combineInstructions());
  split.addPass(EarlyCSEPass(false));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(split)));
}

void addForm(ModulePassManager &passes, const KernelRequest &request) { rulesOf(request).form(passes, request); }

void addOptimize(ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(SplitMemory(request));
  passes.addPass(KeepDisjointBits());
  FunctionPassManager optimize;
  optimize.addPass(EarlyCSEPass(true));
  optimize.addPass(SimplifyCFGPass());
  optimize.addPass(combineInstructions());
  rulesOf(request).optimize(passes, std::move(optimize), request);
  passes.addPass(ExpandMasks(request));
}

void addClean(ModulePassManager &passes, const KernelRequest &) {
  FunctionPassManager clean;
  clean.addPass(SROAPass(SROAOptions::ModifyCFG));
  clean.addPass(EarlyCSEPass(false));
  clean.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
}

struct StageRow {
  StringRef name;
  void (*add)(ModulePassManager &passes, const KernelRequest &request);
};
constexpr StageRow kStages[] = {
#define US_STAGE(stage, name) {name, add##stage},
#include "emulator/codegen/stages.def"
#undef US_STAGE
};

} // namespace

Analyses::Analyses(TargetMachine *target, PassInstrumentationCallbacks *watch)
    : loops(new LoopAnalysisManager), functions(new FunctionAnalysisManager), callGraph(new CGSCCAnalysisManager),
      module(new ModuleAnalysisManager) {
  // A user's function may have the name of a library function and mean something else.
  functions->registerPass([target] {
    TargetLibraryInfoImpl library(target ? target->getTargetTriple() : Triple());
    library.disableAllFunctions();
    for (LibFunc function : {LibFunc_memcpy, LibFunc_memmove, LibFunc_memset}) library.setAvailable(function);
    return TargetLibraryAnalysis(library);
  });
  PassBuilder builder(target, PipelineTuningOptions(), std::nullopt, watch);
  builder.registerModuleAnalyses(*module);
  builder.registerCGSCCAnalyses(*callGraph);
  builder.registerFunctionAnalyses(*functions);
  builder.registerLoopAnalyses(*loops);
  registerAnalyses(*functions);
  builder.crossRegisterProxies(*loops, *functions, *callGraph, *module);
}

Analyses::~Analyses() {
  module->clear();
  delete module;
  delete callGraph;
  delete functions;
  delete loops;
}

InstCombinePass combineInstructions() { return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)); }

SimplifyCFGPass simplifyLate() {
  return SimplifyCFGPass(SimplifyCFGOptions()
                             .forwardSwitchCondToPhi(true)
                             .convertSwitchRangeToICmp(true)
                             .hoistCommonInsts(true)
                             .sinkCommonInsts(true));
}

StringRef nameOf(Stage stage) { return kStages[unsigned(stage)].name; }

std::optional<Stage> stageNamed(StringRef name) {
  for (const auto &[number, row] : enumerate(kStages))
    if (row.name == name) return Stage(number);
  return std::nullopt;
}

void addStage(ModulePassManager &passes, Stage stage, const KernelRequest &request) {
  kStages[unsigned(stage)].add(passes, request);
}

} // namespace us::codegen
