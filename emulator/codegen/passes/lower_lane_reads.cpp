// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_lane_reads.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/sub_groups.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

using namespace llvm;

/// Moves reads to where the sub-group has not parted yet.
class Hoister {
public:
  Hoister(Function &kernel, FunctionAnalysisManager &analyses, const abi::Specialization &specialization)
      : dominators_(analyses.getResult<DominatorTreeAnalysis>(kernel)),
        loops_(analyses.getResult<LoopAnalysis>(kernel)), meetings_(kernel),
        uniformity_(uniformityOfSubGroups(kernel, analyses, meetings_, NothingIs::Different, specialization, phis_)) {}

  void hoist(CallInst &read) {
    BasicBlock *block = read.getParent();
    Instruction *place = nullptr;
    SmallSetVector<Instruction *, 8> moved, movedToPlace;
    for (auto *node = dominators_.getNode(block)->getIDom(); node; node = node->getIDom()) {
      BasicBlock *above = node->getBlock();
      if (loops_.getLoopFor(above) != loops_.getLoopFor(block)) break;
      moved.clear();
      if (!isKnownAt(read, *above->getTerminator(), moved)) break;
      if (!uniformity_.hasDivergentTerminator(*above) || !blocksApart(*above, meetings_).contains(block)) continue;
      place = above->getTerminator();
      movedToPlace = moved;
    }
    if (!place) return;
    for (Instruction *operand : movedToPlace) {
      operand->moveBefore(place);
      operand->dropUBImplyingAttrsAndMetadata();
    }
    read.moveBefore(place);
  }

private:
  /// Whether the operands are there, or can be made there: these are put in `moved`, each behind its own.
  bool isKnownAt(const Instruction &user, const Instruction &place, SmallSetVector<Instruction *, 8> &moved) const {
    for (Value *value : user.operands()) {
      auto *operand = dyn_cast<Instruction>(value);
      if (!operand || dominators_.dominates(operand, &place) || moved.contains(operand)) continue;
      if (isa<PHINode>(operand) || operand->mayReadFromMemory() || !isSafeToSpeculativelyExecute(operand) ||
          moved.size() == kMostMoved || !isKnownAt(*operand, place, moved))
        return false;
      moved.insert(operand);
    }
    return true;
  }

  static constexpr unsigned kMostMoved = 32;

  DominatorTree &dominators_;
  LoopInfo &loops_;
  Meetings meetings_;
  SmallPtrSet<const Instruction *, 4> phis_;
  UniformityInfo uniformity_;
};

void lower(CallInst &read) {
  IRBuilder<> builder(&read);
  const auto wait = [&] {
    constexpr unsigned kLocalFence = 1, kAll = ~0u;
    createMachineCall(builder, "sub_group_sync", builder.getInt32Ty(),
                      {builder.getInt32(kLocalFence), builder.getInt32(kAll)});
  };
  const StringRef name = machineName(&read);
  Type *type = name == "lane_byte" ? builder.getInt8Ty() : name == "lane_short" ? builder.getInt16Ty() : read.getType();
  builder.CreateStore(builder.CreateTrunc(read.getArgOperand(0), type), read.getArgOperand(1));
  wait();
  Value *other = builder.CreateZExt(builder.CreateLoad(type, read.getArgOperand(2)), read.getType());
  wait();
  read.replaceAllUsesWith(other);
  read.eraseFromParent();
}

} // namespace

PreservedAnalyses LowerLaneReads::run(Module &module, ModuleAnalysisManager &manager) {
  Function &kernel = *module.getFunction(request.kernel);
  SmallVector<CallInst *, 8> reads;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&kernel))
    for (Instruction &instruction : *block)
      if (isLaneRead(&instruction)) reads.push_back(cast<CallInst>(&instruction));
  if (reads.empty()) return PreservedAnalyses::all();
  Hoister hoister(kernel, functionAnalyses(module, manager), request.specialization);
  for (CallInst *read : reads) hoister.hoist(*read);
  for (CallInst *read : reads) lower(*read);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace us::codegen
