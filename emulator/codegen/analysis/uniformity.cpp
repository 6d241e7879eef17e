// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/uniformity.h"

#include "emulator/codegen/analysis/chosen_apart.h"
#include "emulator/codegen/analysis/outdated.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace us::codegen {

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

namespace {

/// The only thing the analysis asks a target for is where differences come from.
class WorkItems : public llvm::TargetTransformInfoImplCRTPBase<WorkItems> {
public:
  WorkItems(const llvm::DataLayout &layout, const llvm::SmallPtrSetImpl<const llvm::Instruction *> &chosenApart)
      : TargetTransformInfoImplCRTPBase(layout), chosenApart_(chosenApart) {}
  bool hasBranchDivergence(const llvm::Function * = nullptr) const { return true; }
  bool isSourceOfDivergence(const llvm::Value *value) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return differsBetweenItems(value) || (instruction && chosenApart_.contains(instruction));
  }
  bool isAlwaysUniform(const llvm::Value *) const { return false; }

private:
  const llvm::SmallPtrSetImpl<const llvm::Instruction *> &chosenApart_;
};

} // namespace

bool isGroupSlot(const llvm::AllocaInst &memory) {
  const llvm::MDNode *mark = memory.getMetadata("us.slot");
  return mark && llvm::cast<llvm::MDString>(mark->getOperand(0))->getString() == "group";
}

llvm::AnalysisKey UniformityAnalysis::Key;
llvm::AnalysisKey DivergentBlocksAnalysis::Key;

Uniformity::Uniformity(llvm::UniformityInfo info, Meetings meetings)
    : info_(std::move(info)), meetings_(std::move(meetings)) {}

bool Uniformity::isUniform(llvm::Instruction &value) const {
  return info_.isUniform(static_cast<const llvm::Value *>(&value)) &&
         llvm::none_of(value.uses(), [&](const llvm::Use &use) { return info_.isDivergentUse(use); });
}

bool Uniformity::hasUniformBranch(llvm::BasicBlock &block) const { return !info_.hasDivergentTerminator(block); }

bool Uniformity::invalidate(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                            llvm::FunctionAnalysisManager::Invalidator &invalidator) {
  return isOutdated<UniformityAnalysis, llvm::DominatorTreeAnalysis, llvm::CycleAnalysis>(function, preserved,
                                                                                          invalidator);
}

void Uniformity::print(llvm::raw_ostream &stream, llvm::Function &function) const {
  for (llvm::BasicBlock &block : function) {
    block.printAsOperand(stream, /*PrintType=*/false);
    stream << (hasUniformBranch(block) ? ":\n" : ": work-items part at its end\n");
    for (llvm::Instruction &instruction : block)
      if (!instruction.getType()->isVoidTy())
        stream << (isUniform(instruction) ? "same   " : "differs") << instruction << "\n";
  }
}

Uniformity Uniformity::compute(llvm::Function &function, const llvm::DominatorTree &dominators,
                               const llvm::CycleInfo &cycles) {
  Meetings meetings(function);
  llvm::SmallPtrSet<const llvm::Instruction *, 4> chosenApart;
  const llvm::TargetTransformInfo workItems(WorkItems(function.getDataLayout(), chosenApart)); // asked while computing
  // A value that only some have is not the group's: of others it would keep nothing.
  llvm::UniformityInfo info =
      uniformityOf(function, dominators, cycles, workItems, meetings, NothingIs::Different, chosenApart);
  return Uniformity(std::move(info), std::move(meetings));
}

Uniformity UniformityAnalysis::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  return Uniformity::compute(function, manager.getResult<llvm::DominatorTreeAnalysis>(function),
                             manager.getResult<llvm::CycleAnalysis>(function));
}

void DivergentBlocks::print(llvm::raw_ostream &stream, llvm::Function &function) const {
  for (llvm::BasicBlock &block : function) {
    if (!contains(&block)) continue;
    block.printAsOperand(stream, /*PrintType=*/false);
    stream << "\n";
  }
}

DivergentBlocks DivergentBlocksAnalysis::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  const Uniformity &uniformity = manager.getResult<UniformityAnalysis>(function);
  DivergentBlocks divergent;
  for (llvm::BasicBlock &block : function) {
    if (uniformity.hasUniformBranch(block)) continue;
    for (llvm::BasicBlock *apart : blocksApart(block, uniformity.meetings())) divergent.blocks_.insert(apart);
  }
  return divergent;
}

} // namespace us::codegen
