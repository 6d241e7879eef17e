// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/texture_arguments.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace us::codegen {
namespace {

constexpr unsigned kDeepest = 8;

bool isRead(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !(callee->getName().starts_with("ptx.tex.") || callee->getName().starts_with("ptx.fetch.")))
    return false;
  auto *sampler = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  return sampler && sampler->isZero();
}

/// The one value but zero that is stored in what is loaded.
llvm::Value *contents(llvm::LoadInst &load) {
  auto *slot = llvm::dyn_cast<llvm::AllocaInst>(load.getPointerOperand());
  if (!slot || slot->getAllocatedType() != load.getType()) return nullptr;
  llvm::Value *stored = nullptr;
  for (llvm::User *user : slot->users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    llvm::Value *value = store ? store->getValueOperand() : nullptr;
    if (!value || value == slot) return nullptr;
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value); constant && constant->isNullValue()) continue;
    if (stored) return nullptr;
    stored = value;
  }
  return stored;
}

llvm::Argument *argumentOf(llvm::Value *value) {
  for (unsigned depth = 0; value && depth < kDeepest; ++depth) {
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(value)) return argument;
    auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
    value = load ? contents(*load) : nullptr;
  }
  return nullptr;
}

} // namespace

llvm::SmallVector<std::pair<llvm::CallInst *, llvm::Argument *>> textureReads(llvm::Function &kernel) {
  llvm::SmallVector<std::pair<llvm::CallInst *, llvm::Argument *>> reads;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !isRead(*call)) continue;
    if (llvm::Argument *argument = argumentOf(call->getArgOperand(0))) reads.emplace_back(call, argument);
  }
  return reads;
}

} // namespace us::codegen
