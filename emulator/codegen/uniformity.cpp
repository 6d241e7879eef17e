// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/uniformity.h"

#include "emulator/codegen/machine_functions.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace us::codegen {
namespace {

bool differsBetweenItems(const llvm::Value *value) {
  // Private memory differs; a slot that spill_across_barriers made for the whole group does not.
  if (auto *memory = llvm::dyn_cast<llvm::AllocaInst>(value)) return !isGroupSlot(*memory);
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction) return false;
  if (instruction->isAtomic() || instruction->isVolatile()) return true;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
    if (const MachineFunction *known = calledMachineFunction(call)) return known->difference == Difference::Items;
    return !call->doesNotAccessMemory();
  }
  return false;
}

/// The only thing the analysis asks a target for is where differences come from.
class WorkItems : public llvm::TargetTransformInfoImplCRTPBase<WorkItems> {
public:
  explicit WorkItems(const llvm::DataLayout &layout) : TargetTransformInfoImplCRTPBase(layout) {}
  bool hasBranchDivergence(const llvm::Function * = nullptr) const { return true; }
  bool isSourceOfDivergence(const llvm::Value *value) const { return differsBetweenItems(value); }
  bool isAlwaysUniform(const llvm::Value *) const { return false; }
};

llvm::CycleInfo cyclesOf(llvm::Function &function) {
  llvm::CycleInfo cycles;
  cycles.compute(function);
  return cycles;
}

} // namespace

bool isGroupSlot(const llvm::AllocaInst &memory) {
  const llvm::MDNode *mark = memory.getMetadata("us.slot");
  return mark && llvm::cast<llvm::MDString>(mark->getOperand(0))->getString() == "group";
}

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

Uniformity::Uniformity(llvm::Function &kernel)
    : dominators_(kernel), cycles_(cyclesOf(kernel)), target_(WorkItems(kernel.getDataLayout())),
      info_(dominators_, cycles_, &target_) {
  info_.compute();
}

bool Uniformity::isUniform(llvm::Instruction &value) const {
  return info_.isUniform(static_cast<const llvm::Value *>(&value)) &&
         llvm::none_of(value.uses(), [&](const llvm::Use &use) { return info_.isDivergentUse(use); });
}

bool Uniformity::hasUniformBranch(llvm::BasicBlock &block) const { return !info_.hasDivergentTerminator(block); }

llvm::SmallPtrSet<llvm::BasicBlock *, 16> divergentBlocks(llvm::Function &kernel, const Uniformity &uniformity) {
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> divergent;
  const llvm::PostDominatorTree postDominators(kernel);
  for (llvm::BasicBlock &block : kernel) {
    if (uniformity.hasUniformBranch(block)) continue;
    auto *node = postDominators.getNode(&block);
    auto *meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    llvm::SmallVector<llvm::BasicBlock *, 16> work(llvm::succ_begin(&block), llvm::succ_end(&block));
    while (!work.empty()) {
      llvm::BasicBlock *current = work.pop_back_val();
      if (current == meeting || !divergent.insert(current).second) continue;
      work.append(llvm::succ_begin(current), llvm::succ_end(current));
    }
  }
  return divergent;
}

} // namespace us::codegen
