// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/extend_differences.h"

#include "emulator/codegen/analysis/analysis_table.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

/// Whether the branches on the way to a block say that one number is not below another.
bool isAtLeast(llvm::Value *number, llvm::Value *least, llvm::BasicBlock &block, llvm::DominatorTree &dominators) {
  const llvm::DataLayout &layout = block.getDataLayout();
  for (auto *node = dominators.getNode(&block); node && node->getIDom(); node = node->getIDom()) {
    llvm::BasicBlock *before = node->getBlock()->getSinglePredecessor();
    auto *branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    const bool isTrue = branch->getSuccessor(0) == node->getBlock();
    if (llvm::isImpliedCondition(branch->getCondition(), llvm::CmpInst::ICMP_UGE, number, least, layout, isTrue)
            .value_or(false))
      return true;
  }
  return false;
}

bool extendParts(llvm::ZExtInst &extension, llvm::DominatorTree &dominators) {
  using namespace llvm::PatternMatch;
  llvm::Value *difference = extension.getOperand(0), *number, *least;
  const llvm::APInt *added;
  if (!difference->getType()->isIntegerTy()) return false;
  if (!match(difference, m_Sub(m_Value(number), m_Value(least)))) {
    if (!match(difference, m_Add(m_Value(number), m_APInt(added))) || !added->isNegative()) return false;
    least = llvm::ConstantInt::get(difference->getType(), -*added);
  }
  if (!isAtLeast(number, least, *extension.getParent(), dominators)) return false;
  llvm::IRBuilder<> builder(&extension);
  llvm::Value *left = builder.CreateZExt(number, extension.getType());
  llvm::Value *right = builder.CreateZExt(least, extension.getType());
  extension.replaceAllUsesWith(builder.CreateSub(left, right, "", /*HasNUW=*/true, /*HasNSW=*/true));
  return true;
}

} // namespace

llvm::PreservedAnalyses ExtendDifferences::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  auto &dominators = functionAnalyses(module, manager).getResult<llvm::DominatorTreeAnalysis>(kernel);
  llvm::SmallVector<llvm::WeakTrackingVH, 8> replaced;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
        extension && extendParts(*extension, dominators))
      replaced.push_back(extension);
  const bool isChanged = !replaced.empty();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
  return isChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
