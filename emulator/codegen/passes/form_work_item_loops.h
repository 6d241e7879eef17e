// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// The attribute of functions that give up their turn.
inline constexpr const char *kWaits = "us_waits";
/// Barriers and places to wait for memory that these may have.
inline constexpr unsigned kMostWaits = 62;

/// form_work_item_loops — loop tier: the kernel becomes a function that runs a range of work-groups.
///
///   before:  define void @k() { A; barrier; B }
///   after:   define void @k(ptr %launch, ptr %group, i64 %first, i64 %last)
///            for g in [first, last)  { for z, y, x { A }  for z, y, x { B } }
///
/// Each region between barriers becomes one nest of work-item loops; after it the group goes on with the region behind
/// the barrier it has reached. Slots marked "item" become arrays with an element for each work-item. A kernel that
/// never asks for the shape of its groups runs the groups of a row as one loop.
///
/// Where work-items may end before a barrier at which others wait, each leaves a mark when it ends, and has no turn in
/// regions behind it:
///
///   for z, y, x { if (c) { ended[x] = 1; } else { B; ways |= 2; } }    if (ways & 2) for z, y, x { if (!ended[x]) C }
///
/// Where work-items wait for memory to change (us.yield, which ends regions as a barrier does) each has a region of its
/// own to go on with. One region after another has its loop, for those work-items, until all have ended; the function
/// runs one group, and gives up its turn where all of them wait.
///
/// Requires: spill_across_barriers. Leaves: no call to a us.* function.
struct FormWorkItemLoops : llvm::PassInfoMixin<FormWorkItemLoops> {
  explicit FormWorkItemLoops(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
