// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running a kernel over an N-dimensional range.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/abi/kernel_abi.h"
#include "emulator/exec/race_cells.h"
#include "emulator/exec/scheduler.h"
#include "runtime/base/expected.h"
#include "runtime/base/geometry.h"
#include "runtime/device/executable.h"
#include "runtime/device/finding.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace us {
class CommandObserver;
}

namespace us::abi {
class LaunchChecks;
}

namespace us::exec {

class DeviceCalls;
class DeviceHeap;

/// All that is needed to run; whatever it points to lives until runLaunch returns.
struct LaunchPlan {
  // The code
  void *entry = nullptr; ///< abi::ItemEntry or, for the other shapes, abi::RangeEntry
  abi::EntryShape shape = abi::EntryShape::Range;
  uint64_t frameBytes = 0; ///< stack the entry needs, each time that it is called; 0: unknown
  std::string_view kernelName;
  CostEstimate *cost = nullptr; ///< the kernel's, may be null

  // The range
  uint32_t workDimensions = 1;
  Size3 globalSize{1, 1, 1}, globalOffset{0, 0, 0};
  uint32_t subGroupSize = abi::kLargestSubGroup;
  Size3 localSize{1, 1, 1}; ///< chosen, not zero; groups at the upper edges may be smaller
  bool fusedGroups = false; ///< Range: the code may run groups of a row as one, and nobody sees their shape
  uint64_t launchNumber = 0;
  bool groupsMayWait = true;  ///< for lower ones
  Size3 clusterSize{0, 0, 0}; ///< Item: of so many groups, which divide the range's, all run together; zeros: of one
  bool allTogether =
      false; ///< Item, Group: all groups get turns from the beginning, so that they may wait for each other

  // Memory
  const std::byte *arguments = nullptr;
  std::byte *programVariables = nullptr;
  uint64_t localMemory = 0;   ///< bytes of the local arena
  uint64_t dynamicMemory = 0; ///< of these, those that the launch has added
  bool usesExchange = false;  ///< KernelInfo::usesExchange
  uint64_t printfLimit = 1 << 20;
  DeviceHeap *heap = nullptr;                ///< what kernels allocate comes from; null: nothing does
  std::span<const abi::ArgumentCopy> copies; ///< Range: CodeData::copies
  uint64_t stackLimit = 0;      ///< Item: bytes of a work-item's stack where the code does not say how many it needs
  DeviceCalls *calls = nullptr; ///< of the API's functions; null: there are none

  // Limits
  unsigned maxThreads = 0;     ///< compute units of a sub-device; 0: no limit
  std::span<const int> cores;  ///< the only ones that may run it; empty: any
  uint64_t timeLimit = 0;      ///< milliseconds; 0: none
  bool interruptible = false;  ///< Ctrl-C ends it
  bool showsProgress = false;  ///< at a terminal
  bool strictBarriers = false; ///< Item: work-items that wait at different barriers are a KernelDeadlock

  // Checked code
  abi::LaunchChecks *checks = nullptr;                 ///< is told what fails; null: the code checks nothing
  const abi::ArgumentBounds *argumentBounds = nullptr; ///< LaunchContext::argumentBounds
  uint32_t localCellBytes = 0;                         ///< CodeData::localCellBytes
  GlobalCells *globalCells = nullptr;                  ///< where CodeData::globalCellBytes is not 0
  bool localIsUnwritten = false; ///< each group begins with local memory of which nothing was written
  bool barriersForAll = false;   ///< work-items may not end before a barrier at which others wait
  uint64_t stepLimit = 0;        ///< rounds of a loop after which it ends the launch; 0: none
  uint64_t waitLimit = 0; ///< milliseconds after which a launch ends that only waits for what others may do; 0: none
  std::optional<Finding> *endedBy = nullptr; ///< receives what has ended it; may be null

  // Messages and tools
  CommandObserver *observer = nullptr; ///< told of findings; may be null
  /// The source line of an address in generated code; may be null.
  abi::SourceLine (*sourceLine)(void *user, uint64_t pc) = nullptr;
  void *user = nullptr;
  std::span<const ArgumentInfo> parameters; ///< what the argument block holds
  void *tool = nullptr;                     ///< LaunchContext::tool
};

/// Runs the launch to its end, on the threads and in the order that the scheduler chooses, and writes what it printed.
/// Errors: those of a Finding, which names the kernel, the source line and the work-item or group, as far as they are
/// known; OutOfResources, OutOfHostMemory.
Expected<void> runLaunch(const LaunchPlan &plan, Scheduler &scheduler);

} // namespace us::exec
