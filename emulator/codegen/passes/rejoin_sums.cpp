// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/rejoin_sums.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

/// The same operation of the same values on all ways; null: it is not.
llvm::Instruction *madeOnAllWays(const llvm::PHINode &phi) {
  auto *first = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
  if (phi.getNumIncomingValues() < 2 || !first ||
      !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(first))
    return nullptr;
  return llvm::all_of(phi.incoming_values(),
                      [&](const llvm::Use &value) {
                        auto *other = llvm::dyn_cast<llvm::Instruction>(value.get());
                        return other && first->isIdenticalToWhenDefined(other);
                      })
             ? first
             : nullptr;
}

} // namespace

llvm::PreservedAnalyses RejoinSums::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (machineCalls(kernel, "barrier").empty()) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::PHINode *, 8> phis;
  for (llvm::BasicBlock &block : kernel)
    for (llvm::PHINode &phi : block.phis())
      if (madeOnAllWays(phi)) phis.push_back(&phi);
  if (phis.empty()) return llvm::PreservedAnalyses::all();
  const auto &dominators = functionAnalyses(module, manager).getResult<llvm::DominatorTreeAnalysis>(kernel);
  bool changed = false;
  for (llvm::PHINode *phi : phis) {
    llvm::Instruction *made = madeOnAllWays(*phi);
    llvm::BasicBlock *block = phi->getParent();
    const auto at = block->getFirstInsertionPt();
    if (!made || at == block->end() || llvm::any_of(made->operands(), [&](llvm::Value *operand) {
          auto *from = llvm::dyn_cast<llvm::Instruction>(operand);
          return from && (from->getParent() == block ? !llvm::isa<llvm::PHINode>(from) || from == phi
                                                     : !dominators.dominates(from->getParent(), block));
        }))
      continue;
    // A value of this block's loop, of the turn before, is not the one of this turn.
    if (llvm::any_of(phi->blocks(), [&](llvm::BasicBlock *from) { return dominators.dominates(block, from); }))
      continue;
    llvm::Instruction *once = made->clone();
    for (llvm::Value *other : phi->incoming_values()) once->andIRFlags(other);
    once->insertBefore(at);
    once->takeName(phi);
    phi->replaceAllUsesWith(once);
    llvm::SmallVector<llvm::WeakTrackingVH, 4> old(phi->incoming_values());
    phi->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(old);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
