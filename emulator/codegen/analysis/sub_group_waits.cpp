// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/sub_group_waits.h"

#include "emulator/codegen/analysis/chosen_apart.h"
#include "emulator/codegen/analysis/sub_groups.h"
#include "emulator/codegen/machine_calls.h"

namespace us::codegen {
namespace {

/// Whether the first of those that are come to, from the beginning of one of the blocks on, may be something that a
/// sub-group does as one, before a barrier.
bool mayComeToSubGroups(const llvm::BasicBlock &branch) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> seen;
  llvm::SmallVector<const llvm::BasicBlock *, 16> open(llvm::successors(&branch));
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.pop_back_val();
    if (!seen.insert(block).second) continue;
    const auto found = llvm::find_if(*block, [](const llvm::Instruction &instruction) {
      return isOfSubGroup(instruction) || isLaneRead(&instruction) || machineName(&instruction) == "barrier";
    });
    if (found == block->end())
      open.append(llvm::succ_begin(block), llvm::succ_end(block));
    else if (machineName(&*found) != "barrier")
      return true;
  }
  return false;
}

} // namespace

bool waitsTogether(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses,
                   const abi::Specialization &specialization) {
  const Meetings meetings(kernel);
  llvm::SmallPtrSet<const llvm::Instruction *, 4> phis;
  llvm::UniformityInfo uniformity =
      uniformityOfSubGroups(kernel, analyses, meetings, NothingIs::TheSame, specialization, phis);
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> waits;
  for (llvm::CallInst *call : machineCalls(kernel, "yield")) waits.insert(call->getParent());
  return llvm::none_of(kernel, [&](llvm::BasicBlock &block) {
    if (!uniformity.hasDivergentTerminator(block)) return false;
    const auto apart = blocksApart(block, meetings);
    return llvm::any_of(apart, [&](llvm::BasicBlock *one) { return waits.contains(one); }) && mayComeToSubGroups(block);
  });
}

} // namespace us::codegen
