// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_progress.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/memory_watching.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace us::codegen {
namespace {

/// After so many rounds, and again after as many, it is asked whether a loop goes on.
constexpr uint64_t kRoundsBetween = uint64_t(1) << 16;
/// Rounds that nobody asks about where a loop counts to them.
constexpr uint64_t kNeverTooMany = uint64_t(1) << 32;

/// Machine functions that change nothing that a loop sees.
constexpr llvm::StringLiteral kHarmless[] = {"yield", "check", "check_failed", "memory_access"};

llvm::DebugLoc placeOf(const llvm::Loop &loop, const llvm::Instruction &backEdge) {
  if (const llvm::DebugLoc place = backEdge.getDebugLoc(); place && place.getLine()) return place;
  return loop.getStartLoc();
}

class Checker {
public:
  Checker(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses)
      : kernel_(kernel), loops_(analyses.getResult<llvm::LoopAnalysis>(kernel)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel)), builder_(kernel.getContext()) {}

  bool run() {
    // All are looked at before any is changed.
    llvm::SmallVector<Counted, 8> counted;
    llvm::SmallVector<Announced, 8> announced;
    llvm::SmallVector<Waiting, 4> waiting;
    for (llvm::CallInst *yield : machineCalls(kernel_, "yield"))
      if (llvm::Loop *loop = loops_.getLoopFor(yield->getParent())) waiting.push_back({yield, loop});
    for (llvm::Loop *loop : loops_.getLoopsInPreorder()) {
      for (llvm::BasicBlock *before : llvm::predecessors(loop->getHeader()))
        if (!loop->contains(before)) entries_[loop].push_back(before->getTerminator());
      if (llvm::any_of(waiting, [&](const Waiting &one) { return one.loop == loop; })) continue;
      if (const llvm::APInt *most = mostRounds(*loop); most && most->ule(kNeverTooMany)) continue;
      if (llvm::Value *rounds = roundsBefore(*loop))
        announced.push_back({loop->getLoopPreheader()->getTerminator(), rounds, loop->getStartLoc()});
      else
        counted.push_back({loop, latchesOf(*loop)});
    }
    if (counted.empty() && announced.empty() && waiting.empty()) return false;
    for (const Waiting &one : waiting) watch(one);
    for (Counted &one : counted) one.rounds = startCounting(*one.loop);
    for (const Announced &one : announced) {
      builder_.SetInsertPoint(one.before);
      llvm::Value *rounds = builder_.CreateZExtOrTrunc(one.rounds, builder_.getInt64Ty());
      askWhere(builder_.CreateICmpUGT(rounds, builder_.getInt64(kNeverTooMany)), one.before, rounds, one.place);
    }
    for (const Counted &one : counted)
      for (const auto &[latch, place] : one.latches)
        count(latch->getTerminator(), builder_.getInt64(1), place, one.rounds);
    promote();
    return true;
  }

private:
  struct Counted {
    llvm::Loop *loop;
    llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::DebugLoc>, 2> latches;
    llvm::AllocaInst *rounds = nullptr;
  };
  struct Announced {
    llvm::Instruction *before;
    llvm::Value *rounds;
    llvm::DebugLoc place;
  };
  struct Waiting {
    llvm::CallInst *yield;
    llvm::Loop *loop;
  };

  /// Null where nothing is known.
  const llvm::APInt *mostRounds(const llvm::Loop &loop) {
    auto *most = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getConstantMaxBackedgeTakenCount(&loop));
    return most ? &most->getAPInt() : nullptr;
  }

  /// A number that is known where the loop begins; null where there is none.
  llvm::Value *roundsBefore(const llvm::Loop &loop) {
    const llvm::SCEV *rounds = evolution_.getBackedgeTakenCount(&loop);
    llvm::BasicBlock *before = loop.getLoopPreheader();
    if (!before || llvm::isa<llvm::SCEVCouldNotCompute>(rounds)) return nullptr;
    llvm::SCEVExpander expander(evolution_, kernel_.getDataLayout(), "us.rounds");
    if (!expander.isSafeToExpandAt(rounds, before->getTerminator())) return nullptr;
    return expander.expandCodeFor(rounds, nullptr, before->getTerminator());
  }

  static llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::DebugLoc>, 2> latchesOf(const llvm::Loop &loop) {
    llvm::SmallVector<llvm::BasicBlock *, 2> blocks;
    loop.getLoopLatches(blocks);
    llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::DebugLoc>, 2> latches;
    for (llvm::BasicBlock *latch : blocks) latches.emplace_back(latch, placeOf(loop, *latch->getTerminator()));
    return latches;
  }

  /// A variable, 0 at the beginning of the kernel.
  llvm::AllocaInst *slot(llvm::Type *type) {
    builder_.SetInsertPoint(&kernel_.getEntryBlock(), kernel_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst *made = builder_.CreateAlloca(type);
    builder_.CreateStore(llvm::Constant::getNullValue(type), made);
    all_.push_back(made);
    ours_.insert(made);
    return made;
  }

  /// Where the loop is entered nothing has been counted.
  llvm::AllocaInst *startCounting(const llvm::Loop &loop) {
    llvm::AllocaInst *rounds = slot(builder_.getInt64Ty());
    atEntries(loop, [&] { builder_.CreateStore(builder_.getInt64(0), rounds); });
    return rounds;
  }

  void atEntries(const llvm::Loop &loop, llvm::function_ref<void()> build) {
    for (llvm::Instruction *entry : entries_.at(&loop)) {
      builder_.SetInsertPoint(entry);
      build();
    }
  }

  void askWhere(llvm::Value *condition, llvm::Instruction *before, llvm::Value *rounds, const llvm::DebugLoc &place) {
    llvm::MDNode *unlikely = llvm::MDBuilder(kernel_.getContext()).createUnlikelyBranchWeights();
    llvm::Instruction *then =
        llvm::SplitBlockAndInsertIfThen(condition, before->getIterator(), /*Unreachable=*/false, unlikely);
    then->setDebugLoc(place);
    llvm::IRBuilder<> builder(then);
    llvm::json::Object site = sourceSite(*then);
    site["operation"] = "loop";
    createCheckFailed(builder, abi::CheckKind::NoProgress, std::move(site), {rounds});
  }

  void count(llvm::Instruction *before, llvm::Value *steps, const llvm::DebugLoc &place, llvm::AllocaInst *slot) {
    builder_.SetInsertPoint(before);
    llvm::Value *rounds = builder_.CreateAdd(builder_.CreateLoad(builder_.getInt64Ty(), slot), steps);
    builder_.CreateStore(rounds, slot);
    llvm::Value *isTime = builder_.CreateIsNull(builder_.CreateAnd(rounds, builder_.getInt64(kRoundsBetween - 1)));
    if (!llvm::isa<llvm::Constant>(steps)) isTime = builder_.CreateAnd(isTime, builder_.CreateIsNotNull(steps));
    askWhere(isTime, before, rounds, place);
  }

  uint64_t bitsOf(const llvm::AllocaInst &variable) const {
    const auto bits = variable.getAllocationSizeInBits(kernel_.getDataLayout());
    return bits ? bits->getFixedValue() : 0;
  }
  /// One that is compared as a whole from round to round: it may have another value meanwhile.
  bool isSmallVariable(const llvm::Value *root) const {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(root);
    return variable && variable->isStaticAlloca() && !ours_.contains(variable) && bitsOf(*variable) - 1 < 256;
  }

  /// us.yield becomes us.watch.
  void watch(const Waiting &waiting) {
    llvm::AllocaInst *rounds = startCounting(*waiting.loop);
    if (!changed_) {
      changed_ = slot(builder_.getInt32Ty());
      address_ = slot(builder_.getInt64Ty());
      bytes_ = slot(builder_.getInt32Ty());
    }
    llvm::SmallSetVector<llvm::AllocaInst *, 4> variables;
    for (llvm::BasicBlock *block : waiting.loop->blocks())
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
          if (llvm::Value *root = llvm::getUnderlyingObject(store->getPointerOperand()); isSmallVariable(root))
            variables.insert(llvm::cast<llvm::AllocaInst>(root));
        if (seen_.insert(&instruction).second) note(instruction);
      }
    builder_.SetInsertPoint(waiting.yield);
    // What the next round begins with.
    for (llvm::PHINode &carried : waiting.loop->getHeader()->phis()) {
      const int from = carried.getBasicBlockIndex(waiting.yield->getParent());
      if (from >= 0) changedIf(isOther(&carried, carried.getIncomingValue(unsigned(from))));
    }
    for (llvm::AllocaInst *variable : variables) {
      auto *number = builder_.getIntNTy(unsigned(bitsOf(*variable)));
      llvm::AllocaInst *before = slot(number);
      atEntries(*waiting.loop, [&] { builder_.CreateStore(builder_.CreateLoad(number, variable), before); });
      builder_.SetInsertPoint(waiting.yield);
      llvm::Value *now = builder_.CreateLoad(number, variable);
      changedIf(builder_.CreateICmpNE(now, builder_.CreateLoad(number, before)));
      builder_.CreateStore(now, before);
    }
    llvm::Value *changed = builder_.CreateLoad(builder_.getInt32Ty(), changed_);
    llvm::CallInst *watched = createMachineCall(builder_, "watch", builder_.getVoidTy(),
                                                {changed, builder_.CreateLoad(builder_.getInt64Ty(), address_),
                                                 builder_.CreateLoad(builder_.getInt32Ty(), bytes_)});
    watched->setDebugLoc(waiting.yield->getDebugLoc());
    builder_.CreateStore(builder_.getInt32(0), changed_);
    // Rounds that do nothing but wait are no steps.
    count(waiting.yield, builder_.CreateZExt(changed, builder_.getInt64Ty()), watched->getDebugLoc(), rounds);
    waiting.yield->eraseFromParent();
  }

  void changedIf(llvm::Value *condition) {
    llvm::Value *before = builder_.CreateLoad(builder_.getInt32Ty(), changed_);
    builder_.CreateStore(builder_.CreateOr(before, builder_.CreateZExt(condition, builder_.getInt32Ty())), changed_);
  }

  llvm::Value *isOther(llvm::Value *one, llvm::Value *other) {
    if (one == other) return builder_.getFalse();
    llvm::Type *type = one->getType();
    if (type->isPointerTy()) return builder_.CreateICmpNE(one, other);
    const unsigned bits = type->getPrimitiveSizeInBits();
    if (!bits || type->isScalableTy()) return builder_.getTrue();
    llvm::Type *number = builder_.getIntNTy(bits);
    return builder_.CreateICmpNE(builder_.CreateBitCast(one, number), builder_.CreateBitCast(other, number));
  }

  /// What an instruction of a waiting loop watches, and whether it changes anything.
  void note(llvm::Instruction &instruction) {
    if (instruction.isTerminator() || instruction.isDebugOrPseudoInst() || llvm::isa<llvm::PHINode>(instruction))
      return;
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (ours_.contains(store->getPointerOperand())) return;
      if (isSmallVariable(llvm::getUnderlyingObject(store->getPointerOperand()))) return;
      builder_.SetInsertPoint(store);
      llvm::Value *value = store->getValueOperand();
      auto *before = builder_.CreateAlignedLoad(value->getType(), store->getPointerOperand(), store->getAlign());
      return changedIf(isOther(before, value));
    }
    builder_.SetInsertPoint(instruction.getNextNode());
    if (watchesMemory(instruction))
      for (const Access &access : accessesOf(instruction)) {
        builder_.CreateStore(builder_.CreatePtrToInt(access.pointer, builder_.getInt64Ty()), address_);
        builder_.CreateStore(builder_.CreateZExtOrTrunc(access.bytes, builder_.getInt32Ty()), bytes_);
      }
    if (llvm::Value *does = changes(instruction)) changedIf(does);
  }

  /// Null where it does not.
  llvm::Value *changes(llvm::Instruction &instruction) {
    if (!instruction.mayHaveSideEffects()) return nullptr;
    if (llvm::isa<llvm::LoadInst, llvm::FenceInst>(instruction)) return nullptr;
    if (const MachineFunction *function = calledMachineFunction(&instruction))
      if (function->effects == MachineEffects::Query || llvm::is_contained(kHarmless, function->name)) return nullptr;
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      llvm::Value *operand = update->getValOperand();
      switch (update->getOperation()) {
      case llvm::AtomicRMWInst::Xchg:
        return isOther(update, operand);
      case llvm::AtomicRMWInst::Add:
      case llvm::AtomicRMWInst::Sub:
        return builder_.CreateIsNotNull(operand);
      case llvm::AtomicRMWInst::Or:
        return isOther(builder_.CreateOr(update, operand), update);
      case llvm::AtomicRMWInst::And:
        return isOther(builder_.CreateAnd(update, operand), update);
      default:
        return builder_.getTrue();
      }
    }
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return builder_.CreateAnd(builder_.CreateExtractValue(exchange, 1),
                                isOther(exchange->getCompareOperand(), exchange->getNewValOperand()));
    return builder_.getTrue();
  }

  void promote() {
    llvm::DominatorTree dominators(kernel_);
    llvm::AssumptionCache assumptions(kernel_);
    llvm::PromoteMemToReg(all_, dominators, &assumptions);
  }

  llvm::Function &kernel_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::AllocaInst *, 8> all_;
  llvm::DenseMap<const llvm::Loop *, llvm::SmallVector<llvm::Instruction *, 2>> entries_; ///< the branches there
  llvm::SmallPtrSet<const llvm::Instruction *, 32> seen_;
  llvm::SmallPtrSet<const llvm::Value *, 8> ours_;
  llvm::AllocaInst *changed_ = nullptr, *address_ = nullptr, *bytes_ = nullptr;
};

} // namespace

llvm::PreservedAnalyses CheckProgress::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Progress))
    return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  const bool changed = Checker(kernel, functionAnalyses(module, manager)).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
