// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/check_alignment.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/checks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kMostSteps = 64; ///< along the additions that make an address

/// A value of which some low bits must be zero where `at` stands.
struct Check {
  llvm::Value *value;
  uint64_t bits;
  llvm::Instruction *at;
  llvm::DebugLoc location;
};

class Checker {
public:
  Checker(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : function_(function), dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)) {}

  llvm::SmallVector<Check, 16> find(llvm::ArrayRef<llvm::CallInst *> calls) {
    llvm::SmallVector<Check, 16> checks;
    for (llvm::CallInst *call : calls) {
      llvm::Value *value = checkedBits(*call);
      uint64_t bits = ~uint64_t(0);
      match(value, m_And(m_Value(value), m_ConstantInt(bits)));
      Check check{beginningOf(value, bits), bits, call, call->getDebugLoc()};
      if (lowBitsAreZero(check.value, bits)) continue;
      moveOutOfLoops(check);
      checks.push_back(check);
    }
    return checks;
  }

  /// One for several of the same value where one is reached before the others.
  void merge(llvm::SmallVectorImpl<Check> &checks) {
    llvm::SmallVector<Check, 16> kept;
    for (const Check &check : checks) {
      const auto covers = [&](Check &other) {
        if (other.value != check.value) return false;
        if (other.at->getParent() == check.at->getParent()) {
          other.bits |= check.bits;
          if (check.at->comesBefore(other.at)) other.at = check.at;
          return true;
        }
        return (check.bits & ~other.bits) == 0 && dominators_.dominates(other.at, check.at);
      };
      if (llvm::none_of(kept, covers)) kept.push_back(check);
    }
    checks = std::move(kept);
  }

private:
  bool lowBitsAreZero(llvm::Value *value, uint64_t bits) const {
    if (bits + 1 == 0) return match(value, m_Zero());
    const llvm::KnownBits known = llvm::computeKnownBits(value, function_.getDataLayout());
    return (~known.Zero.zextOrTrunc(64).getZExtValue() & bits) == 0;
  }

  /// Another value with the same low bits, from which this one was made by adding multiples of what they can hold.
  llvm::Value *step(llvm::Value *value, uint64_t bits) const {
    llvm::Value *a = nullptr, *b = nullptr;
    if (match(value, m_PtrToInt(m_Value(a))) || match(value, m_IntToPtr(m_Value(a))) ||
        match(value, m_ZExt(m_Value(a))))
      return a;
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(value)) return cast->getPointerOperand();
    if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_DisjointOr(m_Value(a), m_Value(b)))) {
      if (lowBitsAreZero(b, bits)) return a;
      return lowBitsAreZero(a, bits) ? b : nullptr;
    }
    if (match(value, m_Sub(m_Value(a), m_Value(b)))) return lowBitsAreZero(b, bits) ? a : nullptr;
    auto *place = llvm::dyn_cast<llvm::GEPOperator>(value);
    if (!place || place->getNumIndices() != 1) return nullptr;
    const llvm::TypeSize element = function_.getDataLayout().getTypeAllocSize(place->getSourceElementType());
    llvm::Value *index = *place->idx_begin();
    if (!element.isFixed()) return nullptr;
    if ((element.getFixedValue() & bits) == 0 || lowBitsAreZero(index, bits)) return place->getPointerOperand();
    return element.getFixedValue() == 1 && lowBitsAreZero(place->getPointerOperand(), bits) ? index : nullptr;
  }

  llvm::Value *beginningOf(llvm::Value *value, uint64_t bits) const {
    if (bits + 1 == 0) return value;
    for (unsigned steps = 0; steps < kMostSteps; ++steps) {
      if (llvm::Value *before = step(value, bits)) {
        value = before;
        continue;
      }
      auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
      llvm::Value *entry = phi ? beginningOfRecurrence(*phi, bits) : nullptr;
      if (!entry) break;
      value = entry;
    }
    return value;
  }

  /// Of a pointer that a loop moves on by such multiples: where it begins.
  llvm::Value *beginningOfRecurrence(llvm::PHINode &phi, uint64_t bits) const {
    llvm::Value *entry = nullptr;
    for (llvm::Value *incoming : phi.incoming_values()) {
      llvm::Value *value = incoming;
      for (unsigned steps = 0; value && value != &phi && steps < kMostSteps; ++steps) value = step(value, bits);
      if (value == &phi) continue;
      if (entry && entry != incoming) return nullptr;
      entry = incoming;
    }
    return entry && entry != &phi ? entry : nullptr;
  }

  /// What does not change in a loop is looked at before it, if the loop certainly comes to the access.
  void moveOutOfLoops(Check &check) const {
    while (const llvm::Loop *loop = loops_.getLoopFor(check.at->getParent())) {
      llvm::BasicBlock *before = loop->getLoopPreheader();
      if (!before || !loop->isLoopInvariant(check.value) || check.at->getParent() != loop->getHeader()) return;
      check.at = before->getTerminator();
    }
  }

  llvm::Function &function_;
  const llvm::DominatorTree &dominators_;
  const llvm::LoopInfo &loops_;
};

llvm::Value *lowBits(llvm::IRBuilder<> &builder, const Check &check) {
  llvm::Value *number = check.value;
  if (number->getType()->isPointerTy()) number = builder.CreatePtrToInt(number, builder.getInt64Ty());
  number = builder.CreateZExtOrTrunc(number, builder.getInt64Ty());
  return check.bits + 1 == 0 ? number : builder.CreateAnd(number, builder.getInt64(check.bits));
}

bool checkIn(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const llvm::SmallVector<llvm::CallInst *, 8> calls = checksIn(function, abi::Check::Misaligned);
  if (calls.empty()) return false;
  Checker checker(function, analyses);
  llvm::SmallVector<Check, 16> checks = checker.find(calls);
  checker.merge(checks);
  for (const Check &check : checks) {
    llvm::IRBuilder<> builder(check.at);
    builder.SetCurrentDebugLocation(check.location);
    createCheck(builder, abi::Check::Misaligned, lowBits(builder, check));
  }
  for (llvm::CallInst *call : calls) call->eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses CheckAlignment::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  bool changed = false;
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) changed |= checkIn(function, analyses);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
