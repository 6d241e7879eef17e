// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop tier: the work-items of a group are loops around the kernel's code between its barriers.
#include "emulator/codegen/analysis/code_shape.h"
#include "emulator/codegen/analysis/sub_group_waits.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/analysis/ways_to_barriers.h"
#include "emulator/codegen/analysis/work_item_vectors.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/machine_functions.h"
#include "emulator/codegen/passes/ask_before_rows.h"
#include "emulator/codegen/passes/branch_at_masked_stores.h"
#include "emulator/codegen/passes/choose_vector_form.h"
#include "emulator/codegen/passes/drop_unused_votes.h"
#include "emulator/codegen/passes/expand_conversions.h"
#include "emulator/codegen/passes/expand_gathers.h"
#include "emulator/codegen/passes/form_long_turns.h"
#include "emulator/codegen/passes/form_work_item_loops.h"
#include "emulator/codegen/passes/hide_wrapping_numbers.h"
#include "emulator/codegen/passes/interchange_uniform_loops.h"
#include "emulator/codegen/passes/join_rows.h"
#include "emulator/codegen/passes/keep_access_order.h"
#include "emulator/codegen/passes/lengthen_masks.h"
#include "emulator/codegen/passes/limit_work_items.h"
#include "emulator/codegen/passes/load_whole_under_masks.h"
#include "emulator/codegen/passes/look_up_in_registers.h"
#include "emulator/codegen/passes/narrow_arithmetic.h"
#include "emulator/codegen/passes/run_through_steps.h"
#include "emulator/codegen/passes/skip_unselected_work.h"
#include "emulator/codegen/passes/spill_across_barriers.h"
#include "emulator/codegen/passes/split_at_barriers.h"
#include "emulator/codegen/passes/split_at_borders.h"
#include "emulator/codegen/passes/split_sums.h"
#include "emulator/codegen/passes/transpose_components.h"
#include "emulator/codegen/passes/transpose_row_walks.h"
#include "emulator/codegen/passes/trim_guarded_loops.h"
#include "emulator/codegen/passes/trim_to_windows.h"
#include "emulator/codegen/passes/walk_tiles_by_rows.h"
#include "emulator/codegen/passes/weaken_local_atomics.h"
#include "emulator/codegen/tiers/tier_rules.h"
#include "emulator/codegen/vectorize/vectorize_work_items.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

namespace us::codegen {
namespace {

using namespace llvm;

bool callsMachine(Function &function) {
  const Reachable reachable = reachableFrom(function);
  return any_of(reachable.functions, [](const Function *callee) {
    const MachineFunction *known = machineFunction(callee->getName());
    return known && known->home == Home::Kernel;
  });
}

bool callsThroughPointer(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && !call->getCalledFunction() && !call->isInlineAsm();
}

bool growsStack(const Instruction &instruction) {
  auto *slot = dyn_cast<AllocaInst>(&instruction);
  return slot && !slot->isStaticAlloca();
}

std::string obstacle(const KernelInProgram &kernel) {
  for (Function *function : kernel.reachable.functions) {
    const std::string name = "'" + function->getName().str() + "'";
    if (function->getName() == "us.named_barrier") return "a barrier is for some of the work-items only";
    if (any_of(instructions(*function), callsThroughPointer)) return name + " calls through a pointer";
    // One stack serves all work-items there, and would grow with each of them.
    if (any_of(instructions(*function), growsStack)) return name + " allocates memory on its stack";
    // What calls the machine is inlined into the kernel, which recursion does not allow.
    if (kernel.recursive.contains(function) && callsMachine(*function))
      return name + " is recursive and asks for the work-item or waits";
  }
  return {};
}

/// Some work-items may come to a barrier that others do not come to, be it that these end before.
bool mayDivergeAtBarriers(Function &kernel, FunctionAnalysisManager &analyses) {
  const auto barriers = machineCalls(kernel, "barrier");
  if (barriers.empty()) return false;
  const DivergentBlocks &divergent = analyses.getResult<DivergentBlocksAnalysis>(kernel);
  return any_of(barriers, [&](CallInst *call) { return divergent.contains(call->getParent()); });
}

/// PTX lets threads go elsewhere before a barrier at which the others wait; OpenCL C does not. Who has ended is left
/// out by form_work_item_loops.
bool mayPartBetweenBarriers(Function &kernel, FunctionAnalysisManager &analyses) {
  return kernel.hasFnAttribute(kMaySkipBarriers) && analyses.getResult<WaysToBarriersAnalysis>(kernel).mayPart();
}

/// A sub-group is a vector of work-items with neighbouring linear ids.
std::string obstacleToSubGroups(Function &kernel, const abi::Specialization &specialization) {
  if (!usesSubGroups(kernel)) return {};
  if (specialization.vectorPlan == abi::VectorPlan::Never) return "its sub-groups are not to be vectorized";
  for (const abi::CheckClass check : {abi::CheckClass::Barriers, abi::CheckClass::Races})
    if (abi::isIn(specialization.instrumentation, check)) return "what its sub-groups do is checked";
  const uint32_t *size = specialization.localSize;
  if (size[0] * size[1] * size[2] == 1) return "its sub-groups are single work-items";
  const bool isRow = size[1] * size[2] == 1;
  if (!isRow && specialization.ragged) return "groups of several rows differ in size";
  return {};
}

/// Work-items that wait for memory go on in steps (form_work_item_loops), with what they look at unchecked.
std::string obstacleToWaiting(Function &kernel, FunctionAnalysisManager &analyses,
                              const abi::Specialization &specialization) {
  const size_t waits = machineCalls(kernel, "yield").size();
  if (waits == 0 && machineCalls(kernel, "watch").empty()) return {};
  if (specialization.instrumentation) return "a loop waits for other work-items, and it is checked";
  if (waits + machineCalls(kernel, "barrier").size() > kMostWaits) return "there are too many places to wait at";
  if (usesSubGroups(kernel) && !waitsTogether(kernel, analyses, specialization))
    return "some work-items of a sub-group may wait for memory while others go on";
  return {};
}

std::string obstacleInCode(Function &kernel, FunctionAnalysisManager &analyses, const KernelRequest &request) {
  if (std::string why = obstacleToSubGroups(kernel, request.specialization); !why.empty()) return why;
  if ((!waitsForMemory(kernel) || usesSubGroups(kernel)) && mayPartBetweenBarriers(kernel, analyses))
    return "some threads may come to another barrier";
  if (std::string why = obstacleToWaiting(kernel, analyses, request.specialization); !why.empty()) return why;
  // All work-items of a group have one stack.
  if (abi::isIn(request.specialization.instrumentation, abi::CheckClass::Progress) && stackIsUnbounded(kernel))
    return "it is said whose stack ends, and there may be no end";
  if (abi::isIn(request.specialization.instrumentation, abi::CheckClass::Barriers) &&
      mayDivergeAtBarriers(kernel, analyses))
    return "barriers are checked, and not all work-items may come to one";
  return {};
}

void prepare(ModulePassManager &passes, const KernelRequest &request) {
  passes.addPass(DropUnusedVotes(request));
  passes.addPass(LimitWorkItems(request));
  passes.addPass(ChooseVectorForm(request));
}

void formLoops(ModulePassManager &passes, const KernelRequest &request) {
  FunctionPassManager loops;
  loops.addPass(LoopSimplifyPass());
  loops.addPass(LCSSAPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(loops)));
  passes.addPass(SplitAtBarriers(request));
  passes.addPass(InterchangeUniformLoops(request));
  passes.addPass(SplitAtBarriers(request)); // at the boundaries
  passes.addPass(SpillAcrossBarriers(request));
  passes.addPass(FormWorkItemLoops(request));
}

/// Counters of loops that the loop vectorizer may still take. Of others they were simplified before.
struct SimplifyCounters : PassInfoMixin<SimplifyCounters> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses, LoopStandardAnalysisResults &known,
                        LPMUpdater &updater) {
    for (const Loop *around = &loop; around; around = around->getParentLoop())
      if (findOptionMDForLoop(around, kOfVectors)) return PreservedAnalyses::all();
    return IndVarSimplifyPass().run(loop, analyses, known, updater);
  }
};

void optimizeLoops(ModulePassManager &passes, FunctionPassManager begun, const KernelRequest &request) {
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LICMPass(LICMOptions()));
  shape.addPass(SimpleLoopUnswitchPass());
  begun.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(begun)));
  passes.addPass(NarrowArithmetic(request));
  passes.addPass(TrimGuardedLoops(request));
  passes.addPass(WalkTilesByRows(request));
  passes.addPass(SplitAtBorders(request));
  passes.addPass(AskBeforeRows(request));
  passes.addPass(RunThroughSteps(request));
  passes.addPass(VectorizeWorkItems(request, /*isLast=*/false));
  passes.addPass(createModuleToFunctionPassAdaptor(createFunctionToLoopPassAdaptor(SimplifyCounters())));
  passes.addPass(HideWrappingNumbers());
  passes.addPass(KeepAccessOrder());
  FunctionPassManager vectorize;
  vectorize.addPass(LoopVectorizePass());
  vectorize.addPass(combineInstructions());
  vectorize.addPass(simplifyLate());
  vectorize.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  vectorize.addPass(EarlyCSEPass(false));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(vectorize)));
  passes.addPass(VectorizeWorkItems(request, /*isLast=*/true));
  passes.addPass(TrimToWindows(request));
  passes.addPass(FormLongTurns(request));
  passes.addPass(WeakenLocalAtomics(request));
  passes.addPass(ExpandConversions());
  FunctionPassManager clean;
  clean.addPass(combineInstructions());
  clean.addPass(simplifyLate());
  clean.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  clean.addPass(EarlyCSEPass(false));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean)));
  passes.addPass(SplitSums(request));
  passes.addPass(JoinRows(request));
  passes.addPass(TransposeRowWalks(request));
  passes.addPass(SkipUnselectedWork());
  passes.addPass(LookUpInRegisters(request));
  passes.addPass(ExpandGathers(request));
  passes.addPass(LoadWholeUnderMasks(request));
  passes.addPass(BranchAtMaskedStores(request));
  passes.addPass(TransposeComponents(request));
  passes.addPass(LengthenMasks(request));
}

} // namespace

const TierRules kLoopTier{
    .obstacle = obstacle,
    .obstacleInCode = obstacleInCode,
    .prepare = prepare,
    .form = formLoops,
    .optimize = optimizeLoops,
    .needsOptimizing = usesSubGroups,
    // Vectors take their constants from registers: a broadcast from memory is not free.
    .hoistsConstants = workItemLoopsWereVectorized,
    // Of the values that live across barriers. The stacks that kernels run on have no more.
    .largestFrame = uint64_t(8) << 20,
};

} // namespace us::codegen
