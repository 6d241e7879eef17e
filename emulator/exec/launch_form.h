// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows from a plan and is the same in each of its runs.
#pragma once

#include "emulator/exec/launch.h"
#include "emulator/exec/work_group.h"

namespace us::exec {

struct LaunchForm {
  explicit LaunchForm(const LaunchPlan &plan);

  abi::LaunchContext context; ///< without the memory of groups that run together, which is a run's
  JobShape shape;             ///< of groups, or of clusters of them
  GroupNeeds needs;
  bool tooManyGroups = false; ///< more than 64 bits can count
};

inline bool isClustered(const Size3 &clusterSize) { return clusterSize[0] != 0; }

/// What each group of a launch knows of it. `context` is the run's.
void introduce(WorkGroup &group, const LaunchPlan &plan, abi::LaunchContext &context, PrintfBuffer &printf,
               Scheduler &scheduler);

/// Runs a part of a plan's groups, or of one that ends like this: as KernelGuard::call wants it.
struct RangeCall {
  abi::RangeEntry entry;
  abi::LaunchContext *context;
  WorkGroup *group;
  GroupRange range;

  static void run(void *call) {
    const RangeCall &one = *static_cast<const RangeCall *>(call);
    one.entry(one.context, one.group, one.range.first, one.range.last);
  }
};

/// Of a launch that was left in that way, in these groups: what runLaunch says of it, and tells its observer.
Expected<void> failureOf(const LaunchPlan &plan, Scheduler &scheduler, Leave how, const KernelGuard &guard,
                         const WorkGroup &group, const GroupRange &range);

} // namespace us::exec
