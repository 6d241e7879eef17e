// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/settle_turns.h"

#include "emulator/codegen/analysis/analysis_table.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

using namespace llvm;

/// How often a loop goes round, if that is always as often, but not said by a constant.
std::optional<uint64_t> turnsOf(const Loop &loop, ScalarEvolution &evolution) {
  BasicBlock *exiting = loop.getExitingBlock();
  if (!exiting || !loop.getLoopLatch() || !loop.getLoopPreheader() || !isa<BranchInst>(exiting->getTerminator()))
    return std::nullopt;
  const SCEV *turns = evolution.getExitCount(&loop, exiting);
  if (isa<SCEVCouldNotCompute, SCEVConstant>(turns)) return std::nullopt;
  const ConstantRange range = evolution.getUnsignedRange(turns).intersectWith(evolution.getSignedRange(turns));
  const APInt *only = range.getSingleElement();
  if (!only || only->getActiveBits() > 32) return std::nullopt;
  return only->getZExtValue();
}

void count(Loop &loop, uint64_t turns) {
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  auto *branch = cast<BranchInst>(loop.getExitingBlock()->getTerminator());
  IRBuilder<> builder(header, header->begin());
  PHINode *turn = builder.CreatePHI(builder.getInt64Ty(), 2, "turn");
  builder.SetInsertPoint(latch->getTerminator());
  turn->addIncoming(builder.CreateAdd(turn, builder.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true), latch);
  turn->addIncoming(builder.getInt64(0), loop.getLoopPreheader());
  builder.SetInsertPoint(branch);
  const auto predicate = loop.contains(branch->getSuccessor(0)) ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ;
  branch->setCondition(builder.CreateICmp(predicate, turn, builder.getInt64(turns)));
}

} // namespace

PreservedAnalyses SettleTurns::run(Module &module, ModuleAnalysisManager &manager) {
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  bool changed = false;
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    SmallVector<std::pair<Loop *, uint64_t>, 4> settled;
    for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (const auto turns = turnsOf(*loop, evolution)) settled.push_back({loop, *turns});
    for (auto &[loop, turns] : settled) count(*loop, turns);
    if (settled.empty()) continue;
    analyses.invalidate(function, PreservedAnalyses::none());
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace us::codegen
