// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of the loop tier as IR: over the groups of a range, and over the work-items of a group.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace us::codegen {

/// for (group = first; group < last; ++group) { … }; with `fused`, one turn runs a stretch of groups in a row.
struct GroupLoop {
  bool fused = false;
  bool wholeSubGroups =
      false; ///< the loops over work-items go on to the end of the last sub-group, and leave these out
  llvm::Instruction *launchPoint = nullptr; ///< insert before: what is computed once
  llvm::Instruction *groupPoint = nullptr;  ///< insert before: what is computed for each group
  llvm::BasicBlock *groupLatch = nullptr;   ///< where a finished group goes
  llvm::Value *groupId[3] = {};             ///< i64
  llvm::Value *localSize[3] = {};           ///< i64, of this group
  llvm::Value *firstId[3] = {};             ///< global id of the group's first work-item, in the index type
  llvm::Value *count[3] = {};               ///< work-items, in the index type of the loop over them
  uint64_t fullItems = 1;                   ///< of a full group
  llvm::Value *anyItems = nullptr;          ///< i1: some work-item is left in this group; null: always
  llvm::BasicBlock *head = nullptr;
  llvm::PHINode *group = nullptr;
  llvm::Value *nextGroup = nullptr;
  llvm::SmallVector<llvm::Value *, 16> values;

  bool isGroupValue(const llvm::Value *value) const { return llvm::is_contained(values, value); }
};

/// The entry function's frame: (launch, group, first, last). The caller fills groupPoint's place and jumps to
/// groupLatch.
GroupLoop beginGroupLoop(llvm::Function &entry, const abi::Specialization &specialization, bool fused);
/// Only work-items with a global id below `bound` (i64) run.
void limitItems(llvm::IRBuilder<> &builder, GroupLoop &groups, unsigned dimension, llvm::Value *bound);
void finishGroupLoop(llvm::Function &entry, GroupLoop &groups);

/// A nest of loops over the work-items, dimension 0 innermost; or one loop, where a sub-group has work-items of several
/// rows.
struct WorkItemLoop {
  struct Level {
    llvm::BasicBlock *header = nullptr, *latch = nullptr;
    llvm::Value *count = nullptr;
    llvm::PHINode *counter = nullptr;
    llvm::PHINode *id = nullptr; ///< runs along with the counter from the first global id; null: calculated
  };
  llvm::SmallVector<Level, 3> levels; ///< outermost first; dimensions of size 1 have none
  llvm::Value *localId[3] = {};       ///< i64
  llvm::Value *globalId[3] = {};      ///< i64
  llvm::Value *linearId = nullptr;    ///< i64, in the group; null: calculated of the local ids
  llvm::BasicBlock *body = nullptr;   ///< ends with a placeholder terminator
  llvm::BasicBlock *latch = nullptr;  ///< where a work-item that has ended its turn goes
  llvm::SmallVector<llvm::BasicBlock *, 16> clones;
  llvm::MDNode *loopId = nullptr;
};

WorkItemLoop beginWorkItemLoop(llvm::IRBuilder<> &builder, const GroupLoop &groups,
                               const abi::Specialization &specialization);
/// The same frame for what runs once for the whole group.
WorkItemLoop withoutWorkItemLoop(llvm::IRBuilder<> &builder);
/// Closes the loops; returns the block behind them.
llvm::BasicBlock *endWorkItemLoop(WorkItemLoop &loop);
/// The metadata of the innermost loop over work-items.
inline constexpr const char *kWorkItemLoop = "us.work_items";
/// And of all of them, with the group of these accesses: turns do not depend on each other through them.
inline constexpr const char *kParallelAccesses = "llvm.loop.parallel_accesses";
/// Says that iterations do not depend on each other through these accesses.
void setParallel(WorkItemLoop &loop, llvm::MDNode *accessGroup);

} // namespace us::codegen
