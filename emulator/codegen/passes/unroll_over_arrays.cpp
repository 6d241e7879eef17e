// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/unroll_over_arrays.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/vectorize/private_arrays.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

using namespace llvm;

/// Elements of an array, and instructions of the loops over it, in all turns.
constexpr uint64_t kMostElements = 128, kMostInstructions = 2000;

class Finder {
public:
  Finder(Function &kernel, FunctionAnalysisManager &analyses)
      : kernel_(kernel), loops_(analyses.getResult<LoopAnalysis>(kernel)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(kernel)), barriers_(machineCalls(kernel, "barrier")) {}

  SmallVector<PrivateArray, 4> run() {
    SmallVector<PrivateArray, 4> found;
    if (barriers_.empty()) return found;
    for (Instruction &instruction : kernel_.getEntryBlock())
      if (auto *memory = dyn_cast<AllocaInst>(&instruction))
        if (const auto size = memory->getAllocationSize(kernel_.getDataLayout()))
          if (PrivateArray array{memory, size->getFixedValue()}; isGoneOver(array)) found.push_back(array);
    return found;
  }

private:
  /// Whether all its places are constant in each turn of loops whose turns are known.
  bool isGoneOver(const PrivateArray &array) {
    const uint64_t size = elementSize(*array.memory);
    if (size == 0 || array.bytes / size > kMostElements) return false;
    SmallPtrSet<const Loop *, 8> over;
    for (Instruction *access : accessesIn(array)) {
      const SCEV *place = evolution_.getSCEV(getLoadStorePointerOperand(access));
      if (!findLoops(evolution_.removePointerBase(place), over)) return false;
    }
    if (over.empty()) return false;
    uint64_t instructions = 0;
    for (BasicBlock &block : kernel_) {
      uint64_t turns = 0;
      for (const Loop *loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop())
        if (over.contains(loop)) turns = std::max<uint64_t>(turns, 1) * evolution_.getSmallConstantTripCount(loop);
      instructions += turns * block.size();
    }
    return instructions <= kMostInstructions;
  }

  bool findLoops(const SCEV *place, SmallPtrSetImpl<const Loop *> &over) {
    while (auto *step = dyn_cast<SCEVAddRecExpr>(place)) {
      const Loop *loop = step->getLoop();
      const bool waits = any_of(barriers_, [&](const CallInst *barrier) { return loop->contains(barrier); });
      if (waits || !isa<SCEVConstant>(step->getStepRecurrence(evolution_)) ||
          evolution_.getSmallConstantTripCount(loop) == 0)
        return false;
      over.insert(loop);
      place = step->getStart();
    }
    return isa<SCEVConstant>(place);
  }

  Function &kernel_;
  LoopInfo &loops_;
  ScalarEvolution &evolution_;
  SmallVector<CallInst *> barriers_;
};

} // namespace

PreservedAnalyses UnrollOverArrays::run(Module &module, ModuleAnalysisManager &manager) {
  if (request.specialization.tier != abi::Tier::Loop) return PreservedAnalyses::all();
  Function &kernel = *module.getFunction(request.kernel);
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  const SmallVector<PrivateArray, 4> arrays = Finder(kernel, analyses).run();
  if (arrays.empty()) return PreservedAnalyses::all();
  (void)unrollOverArrays(kernel, arrays, analyses);
  return PreservedAnalyses::none();
}

} // namespace us::codegen
