// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/recover_pointers.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace us::codegen {
namespace {

/// How likely a summand is what the others are added to; 0: it is none.
unsigned likelihood(const llvm::SCEV *summand) {
  if (llvm::isa<llvm::SCEVPtrToIntExpr>(summand)) return 3;
  const auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(summand);
  if (!unknown) return 0;
  if (llvm::isa<llvm::Argument>(unknown->getValue())) return 2;
  return llvm::isa<llvm::LoadInst>(unknown->getValue()) ? 1 : 0;
}

/// The best of the summands of an address, also of where a recurrence begins.
const llvm::SCEV *findBase(const llvm::SCEV *address) {
  if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address)) return findBase(recurrence->getStart());
  const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(address);
  if (!sum) return likelihood(address) ? address : nullptr;
  const llvm::SCEV *best = nullptr;
  for (const llvm::SCEV *operand : sum->operands()) {
    const llvm::SCEV *candidate = llvm::isa<llvm::SCEVAddRecExpr>(operand) ? findBase(operand) : operand;
    if (!candidate || !likelihood(candidate)) continue;
    if (!best || likelihood(candidate) > likelihood(best)) best = candidate;
  }
  return best;
}

/// The base as a pointer: made once, right after its number.
llvm::Value *pointerOf(const llvm::SCEV *base, llvm::Type *type, llvm::Function &function) {
  const auto *cast = llvm::dyn_cast<llvm::SCEVPtrToIntExpr>(base);
  const auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(cast ? cast->getOperand() : base);
  if (!unknown) return nullptr;
  llvm::Value *value = unknown->getValue();
  if (value->getType() == type) return value;
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (cast) return llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(constant, type);
    return nullptr;
  }
  for (llvm::User *user : value->users())
    if (auto *made = llvm::dyn_cast<llvm::CastInst>(user);
        made && made->getType() == type && made->hasName() && made->getName().starts_with("recovered"))
      return made;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction && llvm::isa<llvm::PHINode>(instruction)) return nullptr;
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(instruction ? instruction->getParent() : &entry,
                            instruction ? std::next(instruction->getIterator()) : entry.getFirstInsertionPt());
  if (cast) return builder.CreateAddrSpaceCast(value, type, "recovered");
  return builder.CreateIntToPtr(value, type, "recovered");
}

/// Whether a distance can be calculated in front of a cast. SCEVExpander::isSafeToExpandAt refuses what is made in the
/// block of the cast itself, which is all of a kernel without branches.
bool canExpandAt(const llvm::SCEV *distance, const llvm::Instruction *cast, llvm::ScalarEvolution &evolution,
                 const llvm::SCEVExpander &expander) {
  if (!expander.isSafeToExpand(distance) || !evolution.dominates(distance, cast->getParent())) return false;
  return !llvm::SCEVExprContains(distance, [&](const llvm::SCEV *part) {
    const auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    const auto *value = unknown ? llvm::dyn_cast<llvm::Instruction>(unknown->getValue()) : nullptr;
    return value && value->getParent() == cast->getParent() && !value->comesBefore(cast);
  });
}

bool recover(llvm::Function &function, llvm::ScalarEvolution &evolution) {
  std::vector<llvm::IntToPtrInst *> casts;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *cast = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction);
        cast && cast->getOperand(0)->getType()->isIntegerTy(64))
      casts.push_back(cast);
  bool changed = false;
  llvm::SCEVExpander expander(evolution, function.getDataLayout(), "distance");
  for (llvm::IntToPtrInst *cast : casts) {
    const llvm::SCEV *address = evolution.getSCEV(cast->getOperand(0));
    const llvm::SCEV *base = findBase(address);
    if (!base || base == address) continue;
    const llvm::SCEV *distance = evolution.getMinusSCEV(address, base);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(distance) || findBase(distance) == base ||
        !canExpandAt(distance, cast, evolution, expander))
      continue;
    llvm::Value *pointer = pointerOf(base, cast->getType(), function);
    if (!pointer) continue;
    llvm::Value *bytes = expander.expandCodeFor(distance, distance->getType(), cast);
    llvm::IRBuilder<> builder(cast);
    cast->replaceAllUsesWith(builder.CreatePtrAdd(pointer, bytes));
    changed = true;
  }
  expander.clear();
  for (llvm::IntToPtrInst *cast : casts)
    if (cast->use_empty()) llvm::RecursivelyDeleteTriviallyDeadInstructions(cast);
  return changed;
}

} // namespace

llvm::PreservedAnalyses RecoverPointers::run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (llvm::Function &function : module) {
    const bool hasCasts = llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
      return llvm::isa<llvm::IntToPtrInst>(instruction);
    });
    if (function.isDeclaration() || !hasCasts) continue;
    changed |= recover(function, functions.getResult<llvm::ScalarEvolutionAnalysis>(function));
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
