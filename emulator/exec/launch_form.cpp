// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/launch_form.h"

#include "emulator/memory/shadow.h"
#include "runtime/base/align.h"

#include <algorithm>
#include <bit>

namespace us::exec {
namespace {

/// Of a fiber's stack, on top of the kernel's own frames.
constexpr uint64_t kFiberSlack = 16 * 1024 + kMaxColor + kHandlerRoom, kUnknownFiberStack = 64 * 1024 + kHandlerRoom;

/// Rounded up without a sum that could wrap: sizes may be any number.
uint64_t groupsAlong(uint64_t globalSize, uint64_t localSize) {
  return globalSize == 1 ? 1 : globalSize / localSize + (globalSize % localSize != 0);
}

} // namespace

LaunchForm::LaunchForm(const LaunchPlan &plan) {
  shape = {.groups = 1,
           .itemsPerGroup = 1,
           .cost = plan.cost,
           .maxThreads = plan.maxThreads,
           .launchNumber = plan.launchNumber,
           .ascending = plan.groupsMayWait};
  context.workDimensions = plan.workDimensions;
  for (uint32_t i = 0; i < 3; ++i) {
    context.globalSize[i] = plan.globalSize[i];
    context.globalOffset[i] = plan.globalOffset[i];
    context.localSize[i] = plan.localSize[i];
    context.numGroups[i] = groupsAlong(plan.globalSize[i], plan.localSize[i]);
    tooManyGroups |= __builtin_mul_overflow(shape.groups, context.numGroups[i], &shape.groups);
    shape.itemsPerGroup *= plan.localSize[i];
  }
  context.arguments = plan.arguments;
  context.programVariables = plan.programVariables;
  context.runtime = &runtimeFunctions();
  context.tool = plan.tool;
  context.launchNumber = plan.launchNumber;
  context.localMemory = plan.localMemory;
  context.dynamicMemory = plan.dynamicMemory;
  context.argumentBounds = plan.argumentBounds;
  if (plan.globalCells) context.argumentCells = plan.globalCells->arguments();
  if (isClustered(plan.clusterSize)) {
    context.isClustered = 1;
    for (uint32_t i = 0; i < 3; ++i) {
      context.clusterSize[i] = plan.clusterSize[i];
      needs.clusterGroups *= plan.clusterSize[i];
    }
    shape.groups /= needs.clusterGroups;
  }

  needs.localMemory = plan.localMemory;
  needs.cellBytes = plan.localCellBytes;
  // What is calculated for a sub-group as a whole uses the slots of work-items that it lacks, too.
  if (plan.usesExchange) needs.exchangeItems = alignTo(shape.itemsPerGroup, abi::kLargestSubGroup);
  if (plan.shape != abi::EntryShape::Range) {
    needs.isOneFiber = plan.shape == abi::EntryShape::Group;
    needs.fibers = needs.isOneFiber ? 1 : shape.itemsPerGroup;
    shape.itemsPerGroup *= needs.clusterGroups;
    if (needs.clusterGroups > 1) context.clusterShift = uint32_t(std::countr_zero(WorkGroup::arenaStride(needs)));
    needs.fiberStackBytes =
        plan.frameBytes ? plan.frameBytes + kFiberSlack : std::max(kUnknownFiberStack, plan.stackLimit + kFiberSlack);
  } else {
    needs.stackBytes = plan.frameBytes;
    if (!plan.frameBytes) needs.stackLimit = plan.stackLimit;
  }
}

void introduce(WorkGroup &group, const LaunchPlan &plan, abi::LaunchContext &context, PrintfBuffer &printf,
               Scheduler &scheduler) {
  group.launch = &context;
  group.printf = &printf;
  group.calls = plan.calls;
  group.heap = plan.heap;
  group.scheduler = &scheduler;
  group.cost = plan.cost;
  group.subGroupSize = plan.subGroupSize;
  group.strictBarriers = plan.strictBarriers;
  group.checks = plan.checks;
  group.barriersForAll = plan.barriersForAll;
  group.stepLimit = plan.stepLimit;
  group.globalCells = plan.globalCells;
  group.unwrittenLocal = plan.localIsUnwritten ? plan.localMemory : 0;
  if (!plan.localIsUnwritten) return;
  const memory::Shadow &shadow = memory::Shadow::instance();
  const auto arena = reinterpret_cast<uint64_t>(group.localArena);
  group.localShadow = reinterpret_cast<std::byte *>(shadow.shadowOf(arena, true));
  group.localOrigins = reinterpret_cast<std::byte *>(shadow.originsOf(arena, true));
}

} // namespace us::exec
