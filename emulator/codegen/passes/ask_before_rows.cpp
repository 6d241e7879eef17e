// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/ask_before_rows.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;
using Builder = llvm::IRBuilder<>;

/// Nothing of the loop is used behind it, and it is left at its end only.
bool isRow(const llvm::Loop &loop) {
  if (!llvm::findOptionMDForLoop(&loop, kWorkItemLoop) || waitsForSubGroup(loop)) return false;
  llvm::BasicBlock *latch = loop.getLoopLatch(), *exit = loop.getUniqueExitBlock();
  if (!loop.getLoopPreheader() || !latch || loop.getExitingBlock() != latch || loop.getHeader() == latch || !exit ||
      !exit->phis().empty())
    return false;
  return llvm::none_of(loop.blocks(), [&](llvm::BasicBlock *block) {
    return llvm::any_of(*block, [&](llvm::Instruction &instruction) {
      return llvm::any_of(instruction.users(),
                          [&](llvm::User *user) { return !loop.contains(llvm::cast<llvm::Instruction>(user)); });
    });
  });
}

/// Of what ends a work-item if it is true, or if it is not, what all work-items of the row ask alike, and the rest.
struct Test {
  llvm::Value *alike = nullptr, *apart = nullptr;
};

Test partsOf(llvm::Value *condition, bool endsIfTrue, const llvm::Loop &loop, const llvm::DataLayout &layout) {
  auto *calculated = llvm::dyn_cast<llvm::Instruction>(condition);
  if (llvm::Value *known = calculated ? llvm::simplifyInstruction(calculated, {layout}) : nullptr) condition = known;
  if (llvm::isa<llvm::Constant>(condition)) return {};
  if (loop.isLoopInvariant(condition)) return {condition, nullptr};
  llvm::Value *left, *right;
  if (endsIfTrue ? !match(condition, m_LogicalOr(m_Value(left), m_Value(right)))
                 : !match(condition, m_LogicalAnd(m_Value(left), m_Value(right))))
    return {};
  if (llvm::isa<llvm::Constant>(left) || llvm::isa<llvm::Constant>(right)) return {};
  if (loop.isLoopInvariant(right)) return {right, left};
  if (loop.isLoopInvariant(left)) return {left, right};
  return {};
}

bool askBefore(llvm::Loop &loop, const llvm::DataLayout &layout) {
  llvm::BasicBlock *before = loop.getLoopPreheader(), *header = loop.getHeader(), *latch = loop.getLoopLatch();
  const auto hasEffects = [](const llvm::Instruction &one) { return one.mayHaveSideEffects(); };
  // What stands at the end of each turn is done by those, too, that skip what is before it.
  if (llvm::any_of(*latch, hasEffects)) return false;
  llvm::Value *ends = nullptr;
  for (llvm::BasicBlock *block = header; block != latch && llvm::none_of(*block, hasEffects);) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) break;
    llvm::BasicBlock *next = branch->getSuccessor(0);
    if (branch->isConditional()) {
      const bool endsIfTrue = next == latch;
      if (endsIfTrue) next = branch->getSuccessor(1);
      if (next == latch || (!endsIfTrue && branch->getSuccessor(1) != latch)) break;
      const Test test = partsOf(branch->getCondition(), endsIfTrue, loop, layout);
      if (test.alike) {
        Builder builder(before->getTerminator());
        // Nobody may have asked for it.
        llvm::Value *one = builder.CreateFreeze(test.alike);
        if (!endsIfTrue) one = builder.CreateNot(one);
        ends = ends ? builder.CreateOr(ends, one) : one;
        if (test.apart) {
          branch->setCondition(test.apart);
        } else {
          latch->removePredecessor(block);
          Builder(branch).CreateBr(next);
          branch->eraseFromParent();
        }
      }
    }
    if (next->getSinglePredecessor() != block) break;
    block = next;
  }
  if (!ends) return false;
  Builder(before->getTerminator()).CreateCondBr(ends, loop.getUniqueExitBlock(), header);
  before->getTerminator()->eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses AskBeforeRows::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (needsOrder(kernel)) return llvm::PreservedAnalyses::all();
  bool changed = false;
  const auto &loops = functionAnalyses(module, manager).getResult<llvm::LoopAnalysis>(kernel);
  llvm::SmallVector<llvm::Loop *, 8> rows;
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (isRow(*loop)) rows.push_back(loop);
  for (llvm::Loop *row : rows) changed |= askBefore(*row, kernel.getDataLayout());
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
