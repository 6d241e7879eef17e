// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/keep_warps_in_step.h"

#include "emulator/abi/launch_checks.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// The threads of a warp that come there wait for each other, or all of the block do.
bool meetsInWarp(const llvm::Instruction &instruction) {
  return isOfSubGroup(instruction) || isLaneRead(&instruction) || isBarrier(&instruction);
}

/// All of a warp have to come there.
bool meetsAll(const llvm::Instruction &instruction) {
  if (machineName(&instruction) != "sub_group_sync") return isLaneRead(&instruction) || isBarrier(&instruction);
  auto *members = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(instruction).getArgOperand(1));
  return members && members->isMinusOne();
}

struct SharedTouch {
  llvm::Instruction *at;
  llvm::Value *root; ///< the variable; null: any
  bool isWrite, isAtomic;
};

bool areInConflict(const SharedTouch &one, const SharedTouch &other) {
  if (!one.isWrite && !other.isWrite) return false;
  if (one.isAtomic && other.isAtomic) return false;
  if (one.root && other.root && one.root != other.root) return false;
  // Parts of what one instruction of PTX reads or writes.
  const llvm::DebugLoc &place = one.at->getDebugLoc();
  return !place || place != other.at->getDebugLoc() || one.at == other.at;
}

class WarpSteps {
public:
  WarpSteps(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses)
      : kernel_(kernel), loops_(analyses.getResult<llvm::LoopAnalysis>(kernel)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(kernel)) {}

  bool run() {
    collect();
    waits_.resize(unsigned(touches_.size()));
    findWaits();
    if (waits_.none()) return false;
    llvm::SmallSetVector<llvm::Instruction *, 16> places;
    llvm::SmallPtrSet<llvm::Loop *, 8> seen;
    for (unsigned number : waits_.set_bits()) {
      places.insert(&beginningOf(*touches_[number].at));
      for (llvm::Loop *loop = loops_.getLoopFor(touches_[number].at->getParent()); loop; loop = loop->getParentLoop())
        if (seen.insert(loop).second && !allMeetIn(*loop)) addEndsOf(*loop, places);
    }
    for (llvm::Instruction *place : places) {
      llvm::IRBuilder<> builder(place);
      createMachineCall(builder, "sub_group_sync", builder.getInt32Ty(),
                        {builder.getInt32(abi::kOnlyInStep), builder.getInt32(0)});
    }
    return true;
  }

private:
  struct Event {
    bool isMeeting;
    unsigned touch; ///< its number
  };

  void collect() {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&kernel_)) {
      order_.push_back(block);
      for (llvm::Instruction &instruction : *block) {
        if (meetsInWarp(instruction)) events_[block].push_back({true, 0});
        for (const auto &access : accessesOf(instruction)) {
          llvm::Value *const root = localRootOf(access.pointer);
          if (!root && !mayBeAnyLocal(access.pointer)) continue;
          events_[block].push_back({false, unsigned(touches_.size())});
          const bool isWrite = llvm::StringRef(access.operation) != "read";
          touches_.push_back({&instruction, root, isWrite, instruction.isAtomic()});
        }
      }
    }
  }

  /// Memory that collective functions exchange is not the kernel's; that of a pointer to anything is most often global.
  static bool mayBeAnyLocal(llvm::Value *pointer) {
    llvm::Value *root = rootOf(pointer);
    if (!root) root = withoutSteps(pointer);
    return root->getType()->isPointerTy() && root->getType()->getPointerAddressSpace() == 3 &&
           machineName(root) != "exchange";
  }

  /// What may have been touched since the warp last waited, by block; what needs a wait before it.
  void findWaits() {
    llvm::DenseMap<llvm::BasicBlock *, llvm::SmallBitVector> after;
    for (bool changes = true; changes;) {
      changes = false;
      for (llvm::BasicBlock *block : order_) {
        llvm::SmallBitVector open(unsigned(touches_.size()));
        for (llvm::BasicBlock *before : llvm::predecessors(block))
          if (const auto known = after.find(before); known != after.end()) open |= known->second;
        for (const Event &event : events_[block]) follow(event, open);
        llvm::SmallBitVector &known = after[block];
        changes |= known != open;
        known = std::move(open);
      }
    }
  }

  void follow(const Event &event, llvm::SmallBitVector &open) {
    if (event.isMeeting) {
      open.reset();
      return;
    }
    const SharedTouch &touch = touches_[event.touch];
    const auto isInConflict = [&](unsigned other) { return areInConflict(touch, touches_[other]); };
    if (llvm::any_of(open.set_bits(), isInConflict)) waits_.set(event.touch);
    if (waits_[event.touch]) open.reset();
    open.set(event.touch);
  }

  /// Before what checks have to say of it, which has its line.
  static llvm::Instruction &beginningOf(llvm::Instruction &touch) {
    llvm::Instruction *first = &touch;
    while (llvm::Instruction *before = first->getPrevNode()) {
      const bool isItsOwn = touch.getDebugLoc() && before->getDebugLoc() == touch.getDebugLoc();
      if (!isItsOwn || llvm::isa<llvm::PHINode>(before) || meetsInWarp(*before) || !accessesOf(*before).empty()) break;
      first = before;
    }
    return *first;
  }

  bool allMeetIn(const llvm::Loop &loop) const {
    llvm::SmallVector<llvm::BasicBlock *, 2> latches;
    loop.getLoopLatches(latches);
    return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock *block) {
      return llvm::any_of(*block, meetsAll) &&
             llvm::all_of(latches, [&](llvm::BasicBlock *latch) { return dominators_.dominates(block, latch); });
    });
  }

  static void addEndsOf(const llvm::Loop &loop, llvm::SmallSetVector<llvm::Instruction *, 16> &places) {
    llvm::SmallVector<llvm::BasicBlock *, 4> latches, exits;
    loop.getLoopLatches(latches);
    loop.getUniqueExitBlocks(exits);
    for (llvm::BasicBlock *latch : latches) places.insert(latch->getTerminator());
    for (llvm::BasicBlock *exit : exits) places.insert(&*exit->getFirstInsertionPt());
  }

  llvm::Function &kernel_;
  llvm::LoopInfo &loops_;
  llvm::DominatorTree &dominators_;
  std::vector<llvm::BasicBlock *> order_;
  std::vector<SharedTouch> touches_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<Event, 4>> events_;
  llvm::SmallBitVector waits_; ///< by touch: there is a wait before it
};

} // namespace

llvm::PreservedAnalyses KeepWarpsInStep::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  const bool isPtx = kernel.hasMetadata("us_language_target");
  if (!isPtx || request.specialization.tier != abi::Tier::Fiber || !usesSubGroups(kernel))
    return llvm::PreservedAnalyses::all();
  const bool isChanged = WarpSteps(kernel, functionAnalyses(module, manager)).run();
  return isChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
