// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/hide_wrapping_numbers.h"

#include "emulator/codegen/analysis/analysis_table.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

using namespace llvm;

class Hiding {
public:
  Hiding(Loop &loop, LoopInfo &loops, ScalarEvolution &evolution) : loop_(loop), loops_(loops), evolution_(evolution) {}

  bool run() {
    SmallVector<Value *, 16> places;
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block)
        if (Value *place = getLoadStorePointerOperand(&instruction)) places.push_back(place);
    if (none_of(places, [&](Value *place) { return hasWrapping(*place); })) return false;
    LoopBlocksRPO blocks(&loop_);
    blocks.perform(&loops_);
    // What is calculated of a hidden number has none.
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : make_early_inc_range(*block))
        if (!isa<PHINode>(instruction) && instruction.getType()->isIntegerTy() && hasWrapping(instruction))
          hide(instruction);
    return true;
  }

private:
  bool isWrapping(const SCEV *number) const {
    auto *longer = dyn_cast<SCEVZeroExtendExpr>(number);
    auto *counting = longer ? dyn_cast<SCEVAddRecExpr>(longer->getOperand()) : nullptr;
    if (!counting || counting->getLoop() != &loop_ || !counting->isAffine() || !counting->getStart()->isZero())
      return false;
    // By ones, the number of turns has to fit, and that is tested.
    const SCEV *const step = counting->getStepRecurrence(evolution_);
    return !step->isOne() && evolution_.isKnownPositive(step);
  }

  bool hasWrapping(Value &value) const {
    return evolution_.isSCEVable(value.getType()) &&
           SCEVExprContains(evolution_.getSCEV(&value), [&](const SCEV *part) { return isWrapping(part); });
  }

  void hide(Instruction &number) {
    auto *hidden = new FreezeInst(&number, "", std::next(number.getIterator()));
    hidden->setDebugLoc(number.getDebugLoc());
    evolution_.forgetValue(&number);
    number.replaceUsesWithIf(hidden, [&](const Use &use) { return use.getUser() != hidden; });
  }

  Loop &loop_;
  LoopInfo &loops_;
  ScalarEvolution &evolution_;
};

} // namespace

PreservedAnalyses HideWrappingNumbers::run(Module &module, ModuleAnalysisManager &manager) {
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  bool changed = false;
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost()) changed |= Hiding(*loop, loops, evolution).run();
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace us::codegen
