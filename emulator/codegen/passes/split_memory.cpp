// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/split_memory.h"

#include "emulator/codegen/analysis/analysis_table.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>

namespace us::codegen {
namespace {

using namespace llvm;

bool hasVariableIndex(const AllocaInst &memory) {
  SmallVector<const User *, 16> open(memory.users());
  while (!open.empty()) {
    auto *place = dyn_cast<GetElementPtrInst>(open.pop_back_val());
    if (!place) continue;
    if (!place->hasAllConstantIndices()) return true;
    open.append(place->user_begin(), place->user_end());
  }
  return false;
}

bool split(Function &function, FunctionAnalysisManager &analyses, bool keepsArrays) {
  SmallVector<CallInst *, 4> holds;
  FunctionCallee hold;
  for (Instruction &instruction : instructions(function)) {
    auto *memory = dyn_cast<AllocaInst>(&instruction);
    if (!keepsArrays || !memory || !hasVariableIndex(*memory)) continue;
    // Who knows what this does with it?
    Type *pointer = memory->getType();
    if (!hold)
      hold = function.getParent()->getOrInsertFunction("us.hold", Type::getVoidTy(function.getContext()), pointer);
    if (hold.getFunctionType()->getParamType(0) == pointer)
      holds.push_back(IRBuilder<>(memory->getNextNode()).CreateCall(hold, memory));
  }
  const PreservedAnalyses preserved = SROAPass(SROAOptions::ModifyCFG).run(function, analyses);
  for (CallInst *call : holds) call->eraseFromParent();
  if (hold) cast<Function>(hold.getCallee())->eraseFromParent();
  analyses.invalidate(function, preserved);
  return !preserved.areAllPreserved();
}

} // namespace

PreservedAnalyses SplitMemory::run(Module &module, ModuleAnalysisManager &manager) {
  const abi::Specialization &specialization = request.specialization;
  const bool keepsArrays =
      specialization.tier == abi::Tier::Loop && specialization.vectorPlan != abi::VectorPlan::Never;
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  bool changed = false;
  SmallVector<Function *, 8> defined;
  for (Function &function : module)
    if (!function.isDeclaration()) defined.push_back(&function);
  for (Function *function : defined) changed |= split(*function, analyses, keepsArrays);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace us::codegen
