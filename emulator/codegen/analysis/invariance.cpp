// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/invariance.h"

#include "emulator/codegen/machine_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace us::codegen {

llvm::AnalysisKey InvarianceAnalysis::Key;

Invariance::Level Invariance::of(llvm::Value *value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || instruction->getFunction() != &kernel_) return Level::Launch; // constants, parameters
  if (auto found = known_.find(value); found != known_.end()) return found->second;
  known_[value] = Level::Item; // ends cycles through phis
  const Level level = compute(*instruction);
  known_[value] = level;
  return level;
}

Invariance::Level Invariance::compute(llvm::Instruction &instruction) {
  if (instruction.getType()->isVoidTy() || instruction.getType()->isTokenTy()) return Level::Item;
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst>(instruction)) return Level::Item;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (const MachineFunction *known = calledMachineFunction(call)) {
      if (known->effects != MachineEffects::Query || known->difference == Difference::Items) return Level::Item;
      if (known->difference == Difference::Groups) return Level::Group;
    } else if (!llvm::isa<llvm::IntrinsicInst>(call)) {
      return Level::Item;
    }
  }
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return Level::Item;
  } else if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) {
    return Level::Item;
  }
  Level level = Level::Launch;
  for (llvm::Value *operand : instruction.operands()) level = std::min(level, of(operand));
  // An invariant load may be moved to the front only if its address needs no condition: contexts and the block.
  if (llvm::isa<llvm::LoadInst>(instruction) && level != Level::Launch) return Level::Item;
  return level;
}

void Invariance::print(llvm::raw_ostream &stream, llvm::Function &function) {
  constexpr const char *kLevels[] = {"item  ", "group ", "launch"};
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (!instruction.getType()->isVoidTy()) stream << kLevels[unsigned(of(&instruction))] << instruction << "\n";
}

} // namespace us::codegen
