// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/ways_to_barriers.h"

#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/CFG.h>
#include <llvm/Support/raw_ostream.h>

#include <optional>

namespace us::codegen {
namespace {

/// Where all ways to a barrier that begin with this block meet, one after another, up to the barrier.
ConstBlockSet meetingsFrom(const llvm::BasicBlock *block, const Meetings &meetings) {
  ConstBlockSet all;
  for (; block; block = meetings.behind(*block)) all.insert(block);
  return all;
}

/// Whether ways from the branch lead to barriers, and not all to one or through one block before.
bool leadsToSeveral(const llvm::BasicBlock &branch, const ConstBlockSet &leading, const Meetings &meetings) {
  std::optional<ConstBlockSet> common;
  for (const llvm::BasicBlock *next : llvm::successors(&branch)) {
    if (!leading.contains(next)) continue;
    ConstBlockSet here = meetingsFrom(next, meetings);
    if (common) here.remove_if([&](const llvm::BasicBlock *block) { return !common->contains(block); });
    common = std::move(here);
  }
  return common && common->empty();
}

} // namespace

llvm::AnalysisKey WaysToBarriersAnalysis::Key;

void WaysToBarriers::print(llvm::raw_ostream &stream, llvm::Function &function) const {
  if (mayPart()) stream << "some may come to another barrier\n";
  for (llvm::BasicBlock &block : function) {
    if (!mayEndBehind(&block)) continue;
    stream << "some may end behind ";
    block.printAsOperand(stream, /*PrintType=*/false);
    stream << "\n";
  }
}

WaysToBarriers WaysToBarriersAnalysis::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  WaysToBarriers ways;
  ConstBlockSet barriers;
  for (const char *name : {"barrier", "boundary"})
    for (llvm::CallInst *call : machineCalls(function, name)) barriers.insert(call->getParent());
  if (barriers.empty()) return ways;
  const Uniformity &uniformity = manager.getResult<UniformityAnalysis>(function);
  const Meetings meetings(function, barriers);
  const ConstBlockSet leading = blocksThatLeadTo(barriers);
  for (llvm::BasicBlock &block : function) {
    if (uniformity.hasUniformBranch(block)) continue;
    ways.mayPart_ |= leadsToSeveral(block, leading, meetings);
    if (llvm::any_of(blocksApart(block, uniformity.meetings()),
                     [&](const llvm::BasicBlock *apart) { return barriers.contains(apart); }))
      ways.ends_.insert(&block);
  }
  return ways;
}

} // namespace us::codegen
