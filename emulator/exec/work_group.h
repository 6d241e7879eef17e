// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work-group in execution: local memory, stacks, fibers; or a cluster of them, which the first one stands for. A
// worker reuses one from group to group and from launch to launch; they are pooled for the process.
#pragma once

#include "emulator/abi/kernel_abi.h"
#include "emulator/exec/cluster_barrier.h"
#include "emulator/exec/fiber.h"
#include "emulator/exec/kernel_guard.h"
#include "emulator/exec/named_barriers.h"
#include "emulator/exec/race_cells.h"
#include "emulator/exec/scheduler.h"
#include "runtime/base/expected.h"
#include "runtime/device/finding.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace us::abi {
class LaunchChecks;
enum class AccessKind : uint8_t;
} // namespace us::abi

namespace us::exec {

using PlaceNamer = std::function<SourcePlace(uint64_t pc)>;
using MemoryNamer = std::function<std::string(uint64_t address, uint32_t bytes)>;

class DeviceCalls;
class PrintfBuffer;
class DeviceHeap;

/// What a work-group must provide for a launch.
struct GroupNeeds {
  uint64_t clusterGroups = 1; ///< fiber tier: work-groups that run together
  uint64_t localMemory = 0;   ///< bytes
  uint32_t cellBytes = 0;     ///< checked code: of these, for each cell beside them; 0: it has none
  uint64_t exchangeItems = 0; ///< work-items of a full group, in whole sub-groups, if the kernel uses exchange memory
  uint64_t stackBytes = 0;    ///< the kernel's frames on the runtime stack
  uint64_t stackLimit = 0;    ///< of what recursion may use of it; 0: whatever there is
  uint64_t fibers = 0;        ///< of a full group: one for each work-item, or for all
  bool isOneFiber = false;    ///< EntryShape::Group
  uint64_t fiberStackBytes = 0;
  bool denseStacks = false;
};

/// What becomes of a group's fiber stacks, of which a process has a limited number.
enum class StackClaim {
  Wait,    ///< waits until there are enough
  IfThere, ///< OutOfResources if there are not enough at the moment
  Claimed, ///< whoever asks has reserved them, and gives them back
};

class WorkGroup : public abi::GroupContext {
public:
  /// One from the pool, with all that is needed; OutOfResources if there is no memory. Of a cluster, the first one:
  /// what is said of "the group" is then said of all.
  static Expected<WorkGroup *> acquire(const GroupNeeds &needs, StackClaim claim);
  /// It has all that such a launch needs of a group without fibers.
  bool serves(const GroupNeeds &needs) const;
  /// Back to the pool; suspended work-items are forgotten.
  void release();

  /// Of a cluster: bytes from one local arena to the next, a power of two.
  static uint64_t arenaStride(const GroupNeeds &needs);
  /// Of the cluster, in the order of their ranks; the group alone if it is in none.
  std::span<WorkGroup *const> members() const { return members_; }
  /// Of these, the one that runs, or ran when the kernel was left.
  const WorkGroup &active() const { return *active_; }
  void setGuard(KernelGuard *guard);

  /// Where there are fibers: the next run() begins this group, or this cluster. `entry`: an ItemEntry, or the
  /// RangeEntry of a group with one fiber.
  void begin(uint64_t number, void *entry);
  /// Checked code: what its checks know of local memory begins anew.
  void beginChecks();
  /// Checked code: all have come to a barrier and go on; `fences` as us.barrier has them.
  void passBarrier(uint32_t fences);
  /// Fiber tier, on the runtime stack of any thread: goes on until the group has ended (true) or this turn of it is
  /// over, because all of it has only looked at memory for `patience` rounds, or after `rounds` of them. May leave.
  bool run(uint32_t patience, uint32_t rounds);
  /// In its last turn somebody did more than look at memory.
  bool hasGotOn() const { return gotOn_; }
  /// At its end nobody could go on but those that look at memory, and a round of these has changed nothing: so will the
  /// next, unless others change what they look at.
  bool isStuck() const { return isStuck_; }
  /// And nobody but this group can change that, as it is local memory.
  bool waitsForItself() const;

  /// Fiber tier, of a group and not of a cluster: the item that runs (or ran when the kernel was left); null in the
  /// loop tier.
  const Fiber *currentFiber() const { return current_; }
  /// Of a group that has one for all of its work-items.
  Fiber &fiberOfAll() { return fibers_.front(); }
  /// A work-item runs, or ran when the kernel was left, and it is known which.
  bool knowsItem() const { return current_ && !isOneFiber_; }
  const Stack &runtimeStack() const { return *stack_; }
  /// Where its code may be: the current work-item's stack (null: there is none) and the runtime stack.
  std::array<const Stack *, 2> stacks() const {
    return {active_->current_ ? active_->current_->stack : nullptr, stack_};
  }
  /// The barrier of the cluster.
  ClusterBarrier &clusterBarrier() { return leader_->clusterBarrier_; }
  /// Of what its work-items look at in loops, the addresses.
  std::vector<uint64_t> watched() const;
  /// Who of this group waits where. `place` says what an address in the code is, `memory` what is at one that is
  /// watched.
  std::vector<FoundWait> waiting(const PlaceNamer &place, const MemoryNamer &memory) const;

  KernelGuard *guard = nullptr;   ///< the thread's, while it runs kernels
  PrintfBuffer *printf = nullptr; ///< the launch's
  DeviceCalls *calls = nullptr;   ///< the launch's
  DeviceHeap *heap = nullptr;     ///< the launch's
  NamedBarriers barriers;         ///< fiber tier
  std::string assertion;          ///< trapCode kAssertion: what did not hold
  Scheduler *scheduler = nullptr;
  CostEstimate *cost = nullptr; ///< of the launch's kernel; may be null
  uint32_t trapCode = 0;
  uint64_t trapPc = 0;
  uint32_t subGroupSize = abi::kLargestSubGroup; ///< of a full one
  bool strictBarriers = false;                   ///< barriers reached at different places are a deadlock
  abi::LaunchChecks *checks = nullptr;           ///< is told of them instead, if there is one,
  uint32_t cellBytes = 0;                        ///< of local memory, for each cell beside it; 0: there are none
  GlobalCells *globalCells = nullptr;            ///< the launch's, if its code keeps any
  uint64_t unwrittenLocal = 0;                   ///< bytes of local memory that each group begins with unwritten
  bool barriersForAll = false;                   ///< and of work-items that ended before
  uint64_t stepLimit = 0;                        ///< rounds of a loop in checked code; 0: no limit
  std::array<uint64_t, 17> passedBirths{};       ///< RuntimeFunctions::nanPass
  uint64_t stuckSince = ~uint64_t(0);            ///< the launch's, which counts changes

  /// What a trapCode says; those of front ends are in docs/ir-conventions.md.
  static constexpr uint32_t kWildCall = 1, kWildBranch = 2, kAssertion = ~0u;

private:
  WorkGroup() = default;
  static Expected<WorkGroup *> acquireOne(const GroupNeeds &needs, StackClaim claim);
  void beginOne(uint64_t group, void *entry);
  bool runOne(uint32_t patience, uint32_t rounds);
  bool runCluster(uint32_t patience, uint32_t rounds);
  bool waitsForCluster() const;
  void useCells(const GroupNeeds &needs);
  void giveBack();
  void orderRound();
  void runReady(bool barrierOpen);
  /// Of the sub-group [begin, end): the lanes that wait at a sub-group operation and may go on.
  uint32_t releasable(uint64_t begin, uint64_t end) const;
  bool releaseSubGroups();
  /// Of the sub-group that begins with `begin` these go on now.
  void checkMasks(uint64_t begin, uint32_t released) const;
  bool releaseNamedBarriers();
  bool allAtOneBarrier(uint64_t begin, uint64_t end) const;
  /// Says so where not all work-items wait at one barrier.
  void checkBarrier() const;
  void tellBarrier();
  void beginEpoch();

  std::vector<WorkGroup *> members_{this};
  WorkGroup *leader_ = this; ///< the first of them
  WorkGroup *active_ = this;
  ClusterBarrier clusterBarrier_;                  ///< of the leader
  Stack *stack_ = nullptr, *ownStack_ = nullptr;   ///< the leader's; the pool's
  std::byte *arena_ = nullptr, *arenas_ = nullptr; ///< alone; of a cluster that it leads
  uint64_t arenaSize_ = 0, arenasSize_ = 0, exchangeSize_ = 0;
  std::vector<uint64_t> cellMemory_;
  std::vector<Fiber> fibers_;
  std::vector<uint32_t> order_;
  Round round_;
  bool reorders_ = false;         ///< the scheduler orders each round
  uint64_t items_ = 0, live_ = 0; ///< of the group in execution
  uint64_t subGroupWaiters_ = 0;  ///< of these, at a sub-group operation
  uint64_t waits_ = 0;            ///< so far, of all of a group's work-items
  uint64_t namedWaiters_ = 0;     ///< at a barrier with a number
  uint64_t clusterWaiters_ = 0;   ///< at the cluster's
  uint64_t yielded_ = 0;          ///< of these, those that look at memory again in each round
  uint32_t idleRounds_ = 0;       ///< rounds in a row in which nobody did anything else
  bool barrierOpen_ = false;      ///< those at barriers go on in the next round
  bool gotOn_ = false;
  bool roundChanged_ = true; ///< in the last round somebody did more than look at memory
  bool isStuck_ = false;
  Fiber *current_ = nullptr;
  Stack *freeStacks_ = nullptr; ///< fiber stacks of the right size, not in use
  uint64_t fiberStackBytes_ = 0, reserved_ = 0;
  bool denseStacks_ = false, isOneFiber_ = false;
  WorkGroup *nextFree_ = nullptr;
  friend struct GroupPool;
};

/// What kernels call.
const abi::RuntimeFunctions &runtimeFunctions();

} // namespace us::exec
