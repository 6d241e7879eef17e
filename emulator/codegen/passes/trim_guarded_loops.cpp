// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/trim_guarded_loops.h"

#include "emulator/codegen/analysis/analysis_table.h"

#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

/// The loop as this pass understands it: counted upwards by one, left at its end only (or by a fault, which the turns
/// that are saved do not come to), nothing carried but counters.
struct CountedLoop {
  llvm::BasicBlock *preheader, *header, *latch, *exit;
  llvm::ICmpInst *end = nullptr;    ///< decides at the latch
  llvm::PHINode *counter = nullptr; ///< the one that `end` looks at, after or before its increment
  llvm::Value *next = nullptr;      ///< after
  llvm::Value *limit = nullptr;     ///< what it is compared with
  bool limitOfCounter = false;      ///< the value before the increment is
};

bool countsByOne(llvm::PHINode &phi, const llvm::Loop &loop) {
  auto *next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  return next && match(next, m_Add(m_Specific(&phi), m_One()));
}

/// Where the loop goes on at its end; null if it is left elsewhere too.
llvm::BasicBlock *exitAtTheEnd(const llvm::Loop &loop) {
  llvm::SmallVector<llvm::Loop::Edge, 4> edges;
  loop.getExitEdges(edges);
  llvm::BasicBlock *exit = nullptr;
  for (const auto &[from, to] : edges) {
    if (from == loop.getLoopLatch())
      exit = to;
    else if (!llvm::isa<llvm::UnreachableInst>(to->getTerminator()))
      return nullptr;
  }
  return exit;
}

std::optional<CountedLoop> understand(llvm::Loop &loop) {
  CountedLoop result{loop.getLoopPreheader(), loop.getHeader(), loop.getLoopLatch(), exitAtTheEnd(loop)};
  if (!result.preheader || !result.latch || !result.exit || result.header == result.latch ||
      result.exit->getSinglePredecessor() != result.latch)
    return std::nullopt;
  for (llvm::PHINode &phi : result.header->phis())
    if (!phi.getType()->isIntegerTy() || !countsByOne(phi, loop)) return std::nullopt;
  if (!result.exit->phis().empty()) return std::nullopt;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      for (llvm::User *user : instruction.users())
        if (!loop.contains(llvm::cast<llvm::Instruction>(user))) return std::nullopt;

  auto *branch = llvm::dyn_cast<llvm::BranchInst>(result.latch->getTerminator());
  result.end = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!result.end || !result.end->hasOneUse()) return std::nullopt;
  const auto predicate =
      branch->getSuccessor(0) == result.header ? result.end->getPredicate() : result.end->getInversePredicate();
  result.limit = result.end->getOperand(1);
  if (!loop.isLoopInvariant(result.limit)) return std::nullopt;
  for (llvm::PHINode &phi : result.header->phis()) {
    result.counter = &phi;
    result.next = phi.getIncomingValueForBlock(result.latch);
    result.limitOfCounter = result.end->getOperand(0) == &phi;
    if (result.limitOfCounter && predicate == llvm::CmpInst::ICMP_ULT) return result;
    const bool counts = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_NE;
    if (result.end->getOperand(0) == result.next && counts) return result;
  }
  return std::nullopt;
}

struct Guard {
  llvm::ICmpInst *compare;
  llvm::PHINode *counter;
  llvm::Value *bound;
  bool isSigned;
  bool isLast; ///< the bound is the last that passes, not the first that does not
};

/// counter < bound, where the counter may have been widened. `passes`: what the condition is where the body runs.
std::optional<Guard> guardOf(llvm::Value *condition, const llvm::Loop &loop, bool passes) {
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare) return std::nullopt;
  auto predicate = passes ? compare->getPredicate() : compare->getInversePredicate();
  llvm::Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if (loop.isLoopInvariant(left)) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  if (!loop.isLoopInvariant(right)) return std::nullopt;
  // What only work-item 0 does.
  if (predicate == llvm::CmpInst::ICMP_EQ && match(right, m_Zero())) {
    predicate = llvm::CmpInst::ICMP_ULT;
    right = llvm::ConstantInt::get(right->getType(), 1);
  }
  // The increments must not wrap in the way that the comparison looks at the value.
  const bool isSigned = llvm::CmpInst::isSigned(predicate);
  const bool isLast = predicate == llvm::CmpInst::ICMP_SLE || predicate == llvm::CmpInst::ICMP_ULE;
  if (!isLast && predicate != llvm::CmpInst::ICMP_SLT && predicate != llvm::CmpInst::ICMP_ULT) return std::nullopt;
  llvm::Value *inner = left;
  if (!match(left, m_ZExt(m_Value(inner)))) inner = left;
  auto *counter = llvm::dyn_cast<llvm::PHINode>(inner);
  if (!counter || counter->getParent() != loop.getHeader()) return std::nullopt;
  auto *next = llvm::cast<llvm::OverflowingBinaryOperator>(counter->getIncomingValueForBlock(loop.getLoopLatch()));
  if (isSigned && left == counter ? !next->hasNoSignedWrap() : !next->hasNoUnsignedWrap()) return std::nullopt;
  return Guard{compare, counter, right, isSigned, isLast};
}

bool collectGuards(llvm::Value *condition, const llvm::Loop &loop, bool passes, llvm::SmallVectorImpl<Guard> &guards) {
  llvm::Value *left, *right;
  if (passes ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
             : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return collectGuards(left, loop, passes, guards) && collectGuards(right, loop, passes, guards);
  const auto guard = guardOf(condition, loop, passes);
  if (guard) guards.push_back(*guard);
  return guard.has_value();
}

bool changesNothing(llvm::BasicBlock &block) {
  return llvm::none_of(block, [](llvm::Instruction &instruction) { return instruction.mayHaveSideEffects(); });
}

bool trim(llvm::Loop &loop) {
  const auto counted = understand(loop);
  if (!counted) return false;
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(counted->header->getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
  const bool passes = branch->getSuccessor(1) == counted->latch; // the condition, where the body runs
  if (!passes && branch->getSuccessor(0) != counted->latch) return false;
  if (!changesNothing(*counted->header) || !changesNothing(*counted->latch)) return false;
  llvm::SmallVector<Guard, 4> guards;
  if (!collectGuards(branch->getCondition(), loop, passes, guards)) return false;

  // How many turns are left is counted in 64 bits, from each counter's own start.
  llvm::IRBuilder<> builder(counted->preheader->getTerminator());
  llvm::Type *wide = builder.getInt64Ty();
  auto startOf = [&](llvm::PHINode *phi) { return phi->getIncomingValueForBlock(counted->preheader); };
  llvm::Value *start = startOf(counted->counter);
  llvm::Value *turns = builder.CreateZExt(builder.CreateSub(counted->limit, start), wide);
  if (counted->limitOfCounter) turns = builder.CreateAdd(turns, builder.getInt64(1));
  for (const Guard &guard : guards) {
    llvm::Value *first = startOf(guard.counter), *bound = guard.bound;
    if (guard.isSigned) {
      const bool widened =
          guard.compare->getOperand(0) != guard.counter && guard.compare->getOperand(1) != guard.counter;
      first = widened ? builder.CreateZExt(first, wide) : builder.CreateSExt(first, wide);
      bound = builder.CreateSExt(bound, wide);
    } else {
      first = builder.CreateZExt(first, wide);
      bound = builder.CreateZExt(bound, wide);
    }
    if (guard.isLast)
      bound = builder.CreateBinaryIntrinsic(guard.isSigned ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat,
                                            bound, builder.getInt64(1));
    llvm::Value *below = guard.isSigned ? builder.CreateICmpSGT(bound, first) : builder.CreateICmpUGT(bound, first);
    llvm::Value *left = builder.CreateSelect(below, builder.CreateSub(bound, first), builder.getInt64(0));
    turns = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, turns, left);
  }
  llvm::Value *limit = builder.CreateAdd(start, builder.CreateTrunc(turns, start->getType()), "trimmed");
  auto *again = llvm::cast<llvm::BranchInst>(counted->latch->getTerminator());
  llvm::IRBuilder<> end(again);
  const auto predicate = again->getSuccessor(0) == counted->header ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_UGE;
  again->setCondition(end.CreateICmp(predicate, counted->next, limit));
  // No turn at all: around the loop.
  llvm::Instruction *jump = counted->preheader->getTerminator();
  builder.CreateCondBr(builder.CreateICmpEQ(turns, builder.getInt64(0)), counted->exit, counted->header);
  jump->eraseFromParent();
  branch->setCondition(builder.getInt1(passes));
  return true;
}

} // namespace

llvm::PreservedAnalyses TrimGuardedLoops::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  bool changed = false;
  const auto &loops = functionAnalyses(module, manager).getResult<llvm::LoopAnalysis>(kernel);
  // Where work-items exchange values a loop goes on to the end of their sub-group.
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (!waitsForSubGroup(*loop)) changed |= trim(*loop);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
