// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/trim_to_windows.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

namespace us::codegen {
namespace {

/// Of a window. Numbers of 64 bits below are never as near to their ends as that and all turns of a loop, which are
/// counted in 32.
constexpr uint64_t kLongestWindow = uint64_t(1) << 32;
/// Turns that are not worth it.
constexpr unsigned kFewTurns = 8;

/// Turns in which `start` + `step` * turn, as an unsigned number, is below `length`.
struct Window {
  llvm::BranchInst *guard;
  const llvm::SCEV *start;
  bool isDownwards; ///< the step is -1, else 1
  uint64_t length;
};

class Trimmer {
public:
  Trimmer(llvm::Loop &loop, llvm::Function &kernel, llvm::ScalarEvolution &evolution)
      : loop_(loop), kernel_(kernel), evolution_(evolution) {}

  bool run() {
    turns_ = evolution_.getSmallConstantTripCount(&loop_);
    if (turns_ < kFewTurns || !isCounted()) return false;
    const std::optional<Window> window = findWindow();
    if (!window) return false;
    trim(*window);
    return true;
  }

private:
  /// Nothing is carried but counters, one of them by one, nothing is used behind, and it is left at its end only.
  bool isCounted() {
    llvm::BasicBlock *latch = loop_.getLoopLatch(), *exit = loop_.getUniqueExitBlock();
    if (!loop_.isLoopSimplifyForm() || loop_.getExitingBlock() != latch || loop_.getHeader() == latch || !exit ||
        !exit->phis().empty() || !llvm::isa<llvm::BranchInst>(latch->getTerminator()))
      return false;
    for (llvm::PHINode &phi : loop_.getHeader()->phis()) {
      auto *counter =
          phi.getType()->isIntegerTy() ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&phi)) : nullptr;
      if (!counter || counter->getLoop() != &loop_ || !counter->isAffine()) return false;
      auto *step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_));
      if (!step) return false;
      if (step->getAPInt().isOne() && phi.getType()->isIntegerTy(64) &&
          llvm::isa<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch)))
        counter_ = &phi;
    }
    if (!counter_) return false;
    for (llvm::BasicBlock *block : loop_.blocks())
      for (llvm::Instruction &instruction : *block)
        for (llvm::User *user : instruction.users())
          if (!loop_.contains(llvm::cast<llvm::Instruction>(user))) return false;
    return true;
  }

  std::optional<Window> findWindow() {
    llvm::BasicBlock *header = loop_.getHeader(), *latch = loop_.getLoopLatch();
    auto *guard = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    const auto changes = [](llvm::Instruction &one) { return one.mayHaveSideEffects(); };
    if (!guard || !guard->isConditional() || llvm::any_of(*header, changes) || llvm::any_of(*latch, changes)) return {};
    const bool passes = guard->getSuccessor(1) == latch; // the condition, where the body runs
    if (passes == (guard->getSuccessor(0) == latch)) return {};
    auto *compare = llvm::dyn_cast<llvm::ICmpInst>(guard->getCondition());
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy(64)) return {};
    auto *bound = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
    if (!bound || bound->getValue().uge(kLongestWindow)) return {};
    const auto predicate = passes ? compare->getPredicate() : compare->getInversePredicate();
    uint64_t length = bound->getZExtValue();
    if (predicate == llvm::CmpInst::ICMP_ULE)
      ++length;
    else if (predicate != llvm::CmpInst::ICMP_ULT)
      return {};
    auto *number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(compare->getOperand(0)));
    if (!number || number->getLoop() != &loop_ || !number->isAffine()) return {};
    auto *step = llvm::dyn_cast<llvm::SCEVConstant>(number->getStepRecurrence(evolution_));
    if (!step || (!step->getAPInt().isOne() && !step->getAPInt().isAllOnes())) return {};
    llvm::SCEVExpander expander(evolution_, kernel_.getDataLayout(), "window");
    if (!expander.isSafeToExpandAt(number->getStart(), loop_.getLoopPreheader()->getTerminator())) return {};
    return Window{guard, number->getStart(), step->getAPInt().isAllOnes(), length};
  }

  void trim(const Window &window) {
    llvm::BasicBlock *before = loop_.getLoopPreheader(), *header = loop_.getHeader(), *latch = loop_.getLoopLatch();
    llvm::BasicBlock *exit = loop_.getUniqueExitBlock();
    llvm::Instruction *at = before->getTerminator();
    llvm::IRBuilder<> builder(at);
    llvm::Type *type = builder.getInt64Ty();
    llvm::SCEVExpander expander(evolution_, kernel_.getDataLayout(), "window");
    const auto constant = [&](uint64_t value) { return builder.getInt64(value); };
    const auto most = [&](llvm::Value *one, llvm::Value *other) {
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, one, other);
    };
    const auto least = [&](llvm::Value *one, llvm::Value *other) {
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, one, other);
    };
    // Nearer to zero than where sums would wrap; beyond both ends there is no turn in the window. Nobody may have asked
    // for it.
    llvm::Value *start = builder.CreateFreeze(expander.expandCodeFor(window.start, type, at));
    start = least(most(start, constant(-4 * kLongestWindow)), constant(4 * kLongestWindow));
    llvm::Value *from = nullptr, *to = nullptr;
    if (window.isDownwards) {
      from = builder.CreateSub(start, constant(window.length - 1));
      to = builder.CreateAdd(start, constant(1));
    } else {
      from = builder.CreateNeg(start);
      to = builder.CreateSub(constant(window.length), start);
    }
    from = most(from, constant(0));
    to = least(to, constant(turns_));
    for (llvm::PHINode &phi : header->phis()) {
      auto *known = llvm::cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&phi));
      auto *step = llvm::cast<llvm::SCEVConstant>(known->getStepRecurrence(evolution_));
      llvm::Value *turns = builder.CreateZExtOrTrunc(from, phi.getType());
      llvm::Value *first = phi.getIncomingValueForBlock(before);
      if (&phi == counter_) end_ = builder.CreateAdd(first, to, "window.end");
      starts_.push_back(builder.CreateAdd(first, builder.CreateMul(turns, step->getValue())));
    }
    for (auto [phi, first] : llvm::zip(header->phis(), starts_)) phi.setIncomingValueForBlock(before, first);
    builder.CreateCondBr(builder.CreateICmpSLT(from, to), header, exit);
    at->eraseFromParent();
    auto *again = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    llvm::IRBuilder<> last(again);
    const bool goesOn = again->getSuccessor(0) == header; // if it is true
    again->setCondition(last.CreateICmp(goesOn ? llvm::CmpInst::ICMP_NE : llvm::CmpInst::ICMP_EQ,
                                        counter_->getIncomingValueForBlock(latch), end_));
    window.guard->setCondition(builder.getInt1(window.guard->getSuccessor(1) == latch));
  }

  llvm::Loop &loop_;
  llvm::Function &kernel_;
  llvm::ScalarEvolution &evolution_;
  unsigned turns_ = 0;
  llvm::PHINode *counter_ = nullptr;
  llvm::Value *end_ = nullptr;
  llvm::SmallVector<llvm::Value *, 2> starts_;
};

} // namespace

llvm::PreservedAnalyses TrimToWindows::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (needsOrder(kernel)) return llvm::PreservedAnalyses::all();
  llvm::FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  bool changed = false;
  for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
    if (!llvm::findOptionMDForLoop(loop, kWorkItemLoop) ||
        llvm::getBooleanLoopAttribute(loop, "llvm.loop.isvectorized"))
      continue;
    if (waitsForSubGroup(*loop) || !Trimmer(*loop, kernel, evolution).run()) continue;
    evolution.forgetLoop(loop);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
