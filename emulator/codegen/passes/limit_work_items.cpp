// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/limit_work_items.h"

#include "emulator/codegen/analysis/invariance.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

struct Limit {
  llvm::ICmpInst *compare;
  unsigned dimension;
  llvm::Value *bound; ///< exclusive; of the compared type
  bool isSigned;
};

/// us.global_id(d), perhaps narrowed to 32 bits where that loses nothing.
std::optional<unsigned> globalIdDimension(llvm::Value *value, bool smallIndex) {
  llvm::Value *inner = nullptr;
  while (smallIndex && match(value, m_CombineOr(m_Trunc(m_Value(inner)), m_ZExtOrSExt(m_Value(inner))))) {
    if (value->getType()->getIntegerBitWidth() < 32) return std::nullopt;
    value = inner;
  }
  if (machineName(value) != "global_id") return std::nullopt;
  return queryDimension(llvm::cast<llvm::CallBase>(*value));
}

/// A comparison that, when it comes out as `wanted`, says that a global id is below something that no work-item
/// changes.
std::optional<Limit> limitOf(llvm::Value *condition, bool wanted, bool smallIndex, Invariance &invariance) {
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare) return std::nullopt;
  auto predicate = wanted ? compare->getPredicate() : compare->getInversePredicate();
  llvm::Value *id = compare->getOperand(0), *bound = compare->getOperand(1);
  if (!globalIdDimension(id, smallIndex)) {
    std::swap(id, bound);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const auto dimension = globalIdDimension(id, smallIndex);
  if (!dimension || invariance.of(bound) == Invariance::Level::Item) return std::nullopt;
  // "at most C" is "below C + 1".
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(bound);
      constant && llvm::CmpInst::isNonStrictPredicate(predicate)) {
    if (constant->isMaxValue(llvm::CmpInst::isSigned(predicate))) return std::nullopt;
    bound = llvm::ConstantInt::get(bound->getType(), constant->getValue() + 1);
    predicate = llvm::CmpInst::getStrictPredicate(predicate);
  }
  if (predicate == llvm::CmpInst::ICMP_ULT) return Limit{compare, *dimension, bound, false};
  // As a signed number the id must not have wrapped.
  if (predicate == llvm::CmpInst::ICMP_SLT && smallIndex) return Limit{compare, *dimension, bound, true};
  return std::nullopt;
}

/// All conditions that must hold for the kernel to go on.
void collectLimits(llvm::Value *condition, bool wanted, bool smallIndex, Invariance &invariance,
                   llvm::SmallVectorImpl<Limit> &limits) {
  llvm::Value *left, *right;
  if (wanted ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
             : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    collectLimits(left, wanted, smallIndex, invariance, limits);
    collectLimits(right, wanted, smallIndex, invariance, limits);
  } else if (auto limit = limitOf(condition, wanted, smallIndex, invariance)) {
    limits.push_back(*limit);
  }
}

/// Nothing happens from here to the end of the kernel.
bool onlyEnds(llvm::BasicBlock *block) {
  for (int steps = 0; steps < 4; ++steps) {
    if (!llvm::isa<llvm::PHINode>(block->front()) && block->front().isTerminator()) {
      if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) return true;
      if (llvm::BasicBlock *next = block->getSingleSuccessor()) {
        block = next;
        continue;
      }
    }
    return false;
  }
  return false;
}

/// Says whether there may be another.
bool limitOnce(llvm::Function &kernel, bool smallIndex, bool &changed) {
  llvm::BasicBlock &entry = kernel.getEntryBlock();
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(entry.getTerminator());
  if (!branch || !branch->isConditional()) return false;
  const bool ends[2] = {onlyEnds(branch->getSuccessor(0)), onlyEnds(branch->getSuccessor(1))};
  if (ends[0] == ends[1]) return false;
  if (llvm::any_of(entry, [](llvm::Instruction &instruction) {
        return instruction.mayHaveSideEffects() && machineName(&instruction) != "limit";
      }))
    return false;
  Invariance invariance(kernel);
  llvm::SmallVector<Limit, 4> limits;
  const bool wanted = ends[1];
  collectLimits(branch->getCondition(), wanted, smallIndex, invariance, limits);
  if (limits.empty()) return false;
  changed = true;
  for (const Limit &limit : limits) {
    llvm::IRBuilder<> builder(branch);
    llvm::Value *bound = limit.bound;
    if (limit.isSigned)
      bound = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, bound, llvm::ConstantInt::get(bound->getType(), 0));
    bound = builder.CreateZExt(bound, builder.getInt64Ty());
    createMachineCall(builder, "limit", builder.getVoidTy(), {builder.getInt32(limit.dimension), bound});
    // Which way the comparison comes out is known for every work-item that is left.
    limit.compare->replaceAllUsesWith(builder.getInt1(wanted));
  }
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(entry)))
    if (llvm::Value *folded = llvm::ConstantFoldInstruction(&instruction, kernel.getDataLayout())) {
      instruction.replaceAllUsesWith(folded);
      if (llvm::isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
    }
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(entry))
    if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(choice->getCondition())) {
        choice->replaceAllUsesWith(constant->isOne() ? choice->getTrueValue() : choice->getFalseValue());
        choice->eraseFromParent();
      }
  if (!llvm::ConstantFoldTerminator(&entry, /*DeleteDeadConditions=*/true)) return false;
  llvm::BasicBlock *next = entry.getSingleSuccessor();
  llvm::EliminateUnreachableBlocks(kernel);
  return next && next->getSinglePredecessor() && llvm::MergeBlockIntoPredecessor(next);
}

} // namespace

llvm::PreservedAnalyses LimitWorkItems::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  bool changed = false;
  while (limitOnce(kernel, request.specialization.smallIndex, changed)) {
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
