// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What generated code and the executor agree on. Code generation takes field offsets from here with offsetof; a change
// here changes kAbiVersion, which is a part of every cache key and program binary.
#pragma once

#include "emulator/abi/race_cells.h"

#include <cstddef>
#include <cstdint>

namespace us {
struct DeviceCall;
}

namespace us::abi {

inline constexpr uint32_t kAbiVersion = 17;
/// The work-items that a sub-group may have, which are powers of two: most kernels leave it to the device.
inline constexpr uint32_t kSubGroupSizes[] = {8, 16, 32};
inline constexpr uint32_t kLargestSubGroup = 32;
/// Those of CUDA's.
inline constexpr uint32_t kWarpSize = 32;
/// Bytes of exchange memory per work-item of a full group: 128 for what it does with its sub-group, and behind all of
/// these 8 for what it does with its work-group.
inline constexpr uint32_t kExchangeSlot = 128 + 8;

/// LaunchContext::clusterShift where a work-group is a cluster of its own: no arena has so many bytes.
inline constexpr uint32_t kLoneClusterShift = 24;
/// Where it is not, an arena's place in the cluster is in higher bits of an address than the 18 that descriptors of
/// matrices have.
inline constexpr uint64_t kLeastArenaStride = 1 << 18;

struct LaunchContext;
struct GroupContext;
struct ItemContext;
struct ArgumentBounds;

/// What a work-item does at a barrier with a number (PTX's bar).
enum class BarrierUse : uint32_t { Sync, Arrive, CountTrue, AllTrue, AnyTrue };

/// As a printf record's size: the record is CUDA's array of arguments, of which the format says how long it is.
inline constexpr uint32_t kFormatSaysSize = ~0u;

/// What a kernel calls. The functions never throw; those marked "may leave" end the launch by a non-local jump.
struct RuntimeFunctions {
  uint32_t size = sizeof(RuntimeFunctions);
  /// Appends a formatted record to the launch's printf buffer; 0, or -1 if the buffer is full.
  int32_t (*print)(GroupContext *group, uint64_t linearLocalId, const char *format, const std::byte *record,
                   uint32_t recordSize) = nullptr;
  /// Fiber tier: waits for the work-group. May leave.
  void (*barrier)(ItemContext *item, uint32_t flags, uint32_t scope, uint32_t site) = nullptr;
  /// Fiber tier: waits for the sub-group (docs/ir-conventions.md, us.sub_group_sync). May leave.
  uint32_t (*subGroupSync)(ItemContext *item, uint32_t flags, uint32_t members, uint32_t site) = nullptr;
  /// Fiber tier: gives up this work-item's turn; the others get theirs first. May leave.
  void (*yield)(ItemContext *item, uint32_t site) = nullptr;
  /// Ends the launch with KernelTrap. Leaves.
  void (*trap)(GroupContext *group, uint32_t code) = nullptr;
  uint64_t (*clock)() = nullptr; ///< nanoseconds
  /// The address space that holds an address, by number: 0 private, 1 global, 3 local.
  uint32_t (*addressSpace)(const void *address) = nullptr;
  /// A function of the API that launched the kernel, by its number (runtime/device/device_functions.h). May leave.
  uint64_t (*deviceCall)(GroupContext *group, uint32_t function, DeviceCall *call) = nullptr;
  /// Fiber tier: one of 16 barriers, for so many work-items (0: all of the group). The result is what `use`, a
  /// BarrierUse, asks of the predicates. May leave.
  uint32_t (*namedBarrier)(ItemContext *item, uint32_t number, uint32_t threads, uint32_t use, uint32_t predicate,
                           uint32_t site) = nullptr;
  /// Memory of the launch's heap; 0 if there is none left.
  uint64_t (*allocate)(GroupContext *group, uint64_t size) = nullptr;
  /// Takes it back; what was not allocated ends the launch. May leave.
  void (*release)(GroupContext *group, uint64_t address) = nullptr;
  /// Says so on standard error and ends the launch with KernelAssert. Leaves.
  void (*assertFail)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, const char *message,
                     const char *file, uint32_t line, const char *function) = nullptr;
  /// Checked code: a check of CheckKind `kind` has failed at `site` (launch_checks.h); the kernel goes on. A loop
  /// that has had too many rounds ends the launch. May leave.
  void (*checkFailed)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint32_t kind,
                      const char *site, uint64_t first, uint64_t second, uint64_t third) = nullptr;
  /// Checked code: of the memory that holds an address, where it begins, and its bytes: 0 where a kernel may not go.
  uint64_t (*boundsBegin)(uint64_t address) = nullptr;
  uint64_t (*boundsSize)(uint64_t address) = nullptr;
  /// Checked code, fiber tier: an access that is about to be made (launch_checks.h); `what` is an AccessKind and bits
  /// of MemoryAccess.
  void (*memoryAccess)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address,
                       uint64_t bytes, uint32_t what, const char *site, uint64_t value) = nullptr;
  /// Checked code: where it is kept of local memory, and of buffers of which not all was written, which bits were never
  /// written, and why. Of other memory a place that is all zero to load from, and one to store to that nobody loads
  /// from.
  uint64_t (*shadowOf)(uint64_t address, uint32_t isStore) = nullptr;
  uint64_t (*originsOf)(uint64_t address, uint32_t isStore) = nullptr;
  /// Checked code: the number of a birth, of what is no finite number (launch_checks.h): `what` has bit 0 if the
  /// operands `first` and `second`, as bits of doubles, were finite, else it is `other`; bit 1 if it is a NaN.
  uint64_t (*nanBorn)(GroupContext *group, uint32_t what, const char *site, uint64_t first, uint64_t second,
                      uint64_t other) = nullptr;
  /// Such numbers on their way into a function and back: place of the argument, ~0 of the result. Once asked for it is
  /// gone.
  void (*nanPass)(GroupContext *group, uint32_t place, uint64_t birth) = nullptr;
  uint64_t (*nanPassed)(GroupContext *group, uint32_t place) = nullptr;
  /// And into memory and back.
  uint64_t (*nanAt)(GroupContext *group, uint64_t address) = nullptr;
  void (*nanStored)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address, uint32_t bytes,
                    const char *site, uint64_t birth) = nullptr;
  /// Checked code: an atomic addition to a floating-point number of so many bytes; both numbers as bits of doubles.
  void (*floatAdded)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address,
                     uint32_t bytes, const char *site, uint64_t before, uint64_t number) = nullptr;
  /// Checked code: vprintf is about to be called, with so many bytes of StoredArgument, beginning at its arguments'.
  void (*printed)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, const char *format,
                  const std::byte *stored, uint64_t size) = nullptr;
  /// Checked code, fiber tier: as yield, and whether this round of the loop has `changed` anything that a round begins
  /// with, or memory, and what it looked at last. May leave.
  void (*watch)(ItemContext *item, uint32_t changed, uint64_t address, uint32_t bytes, uint32_t site) = nullptr;
  /// Checked code, loop tier: a work-group begins; all of its work-items have come to a barrier and go on.
  void (*groupBegins)(GroupContext *group) = nullptr;
  void (*groupPassed)(GroupContext *group, uint32_t fences) = nullptr;
  /// Checked code: by its cells an access races with another one, whose place is one of `sites`.
  void (*cellRace)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address, uint64_t bytes,
                   uint32_t what, const char *site, uint64_t value, const char *const *sites) = nullptr;
  /// Checked code: gives the launch up if `holds` is 0, before it has done anything: `checks`, a CheckSet, need to be
  /// exhaustive. May leave.
  void (*require)(GroupContext *group, uint32_t checks, uint32_t holds) = nullptr;
  /// Checked code: an asynchronous copy that a work-group makes (AsyncCopy), and its event.
  uint64_t (*asyncCopy)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint64_t to, uint64_t toLine,
                        uint64_t toPlane, uint64_t from, uint64_t fromLine, uint64_t fromPlane, uint64_t bytes,
                        uint64_t elements, uint64_t lines, uint64_t planes, uint32_t toLocal, uint64_t event,
                        const char *site) = nullptr;
  /// Checked code: a fence between asynchronous copies; `fences` as us.barrier has them.
  void (*fenceCopies)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint32_t fences,
                      const char *site) = nullptr;
  /// Checked code: `count` events, 64 bits each, from an address on are about to be waited for.
  void (*awaitCopies)(GroupContext *group, uint64_t linearGroup, uint64_t linearLocalId, uint32_t count,
                      uint64_t events, const char *site) = nullptr;
  /// Checked code: of that memory, these bytes are written.
  void (*written)(uint64_t address, uint64_t size) = nullptr;
  /// Fiber tier: the barrier of the work-group's cluster, in two parts: says that the work-item has come; waits until
  /// all of the cluster have. May leave.
  void (*clusterArrive)(ItemContext *item, uint32_t site) = nullptr;
  void (*clusterWait)(ItemContext *item, uint32_t site) = nullptr;
  /// Loop tier: all of the work-group wait for memory to change, and it gives up its turn; others get theirs first. May
  /// leave.
  void (*groupYield)(GroupContext *group) = nullptr;
};

/// Memory of a launch whose work-groups run together, zero at its beginning but for the size. What kernels keep in it
/// is between them and the library that they were compiled with; `barrier` is meant for one that all work-groups share.
struct alignas(128) GridWorkspace {
  uint32_t size = sizeof(GridWorkspace);
  uint32_t barrier = 0;
  uint32_t rest[62] = {};
};

/// Constant during a launch (but for abortWord, which the runtime sets).
struct LaunchContext {
  uint32_t size = sizeof(LaunchContext);
  uint32_t workDimensions = 1;
  uint64_t globalSize[3] = {1, 1, 1};
  uint64_t globalOffset[3] = {0, 0, 0};
  uint64_t localSize[3] = {1, 1, 1}; ///< of a full work-group
  uint64_t numGroups[3] = {1, 1, 1};
  const std::byte *arguments = nullptr;  ///< the argument block
  std::byte *programVariables = nullptr; ///< storage of the program's addrspace(1) variables
  const RuntimeFunctions *runtime = nullptr;
  void *tool = nullptr;   ///< an observer's, else null
  uint32_t abortWord = 0; ///< non-zero: the launch should end
  uint32_t reserved = 0;
  uint64_t launchNumber = 0;
  GridWorkspace *gridWorkspace = nullptr; ///< where all groups run together, else null
  uint64_t localMemory = 0;               ///< bytes of the local arena
  uint64_t dynamicMemory = 0;             ///< of these, those that the launch has added
  /// Checked code: by argument, what a pointer points into; of one to local memory only the sizes. Else null.
  const ArgumentBounds *argumentBounds = nullptr;
  /// Checked code that looks for races in the memory of arguments: by argument, the cells beside it. Else null.
  const MemoryCells *argumentCells = nullptr;
  uint64_t clusterSize[3] = {1, 1, 1};       ///< work-groups of a cluster
  uint32_t clusterShift = kLoneClusterShift; ///< GroupContext::clusterArena: log2 of the distance of two arenas
  uint32_t isClustered = 0;                  ///< the launch says how large clusters are
};

/// One per work-group that is in execution; a worker reuses its own from group to group.
struct GroupContext {
  uint32_t size = sizeof(GroupContext);
  uint32_t reserved = 0;
  LaunchContext *launch = nullptr;
  uint64_t linearGroup = 0;          ///< the group (or first group of a fused run) in execution: for error messages
  uint64_t groupId[3] = {0, 0, 0};   ///< fiber tier: set by the executor; loop tier: unspecified
  uint64_t localSize[3] = {1, 1, 1}; ///< fiber tier: size of this group; loop tier: unspecified
  std::byte *localArena = nullptr;   ///< 1024-byte aligned; LaunchCommand::localMemory bytes
  /// Where the local arenas of its cluster begin, in the order of the work-groups' ranks.
  std::byte *clusterArena = nullptr;
  /// Checked code: for the local arena, which of its bits were never written, and why.
  std::byte *localShadow = nullptr, *localOrigins = nullptr;
  /// Checked code: the cells beside local memory (race_cells.h), and how far it is, of local and of global memory.
  MemoryCells localCells;
  CellEpochs localEpochs, globalEpochs;
  std::byte *exchange = nullptr; ///< kExchangeSlot bytes per work-item, 128-byte aligned, if KernelInfo::usesExchange
  /// By argument, what is an element of the thread's copy where the argument is one of the memory (CodeData::copies).
  std::byte *const *argumentCopies = nullptr;
};

/// Fiber tier: one per work-item.
struct ItemContext {
  uint32_t size = sizeof(ItemContext);
  uint32_t linearLocalId = 0;
  GroupContext *group = nullptr;
  uint64_t localId[3] = {0, 0, 0};
};

/// Loop tier: runs the work-groups [firstGroup, lastGroup) of the launch, numbered with dimension 0 fastest. One that
/// gives up its turn runs one group.
using RangeEntry = void (*)(LaunchContext *launch, GroupContext *group, uint64_t firstGroup, uint64_t lastGroup);
/// Fiber tier: runs one work-item to its end, on that work-item's stack.
using ItemEntry = void (*)(ItemContext *item);

/// What has written a byte of the arguments of CUDA's vprintf, in checked code.
enum class StoredArgument : uint8_t {
  None,
  Word,
  TwoWords,     ///< at once
  ConstantWord, ///< one of four bytes
  Unknown,      ///< any other
};

/// printf record: for each argument a PrintTag byte, then its bytes, unaligned. A vector's elements count is 1 for
/// scalars.
enum class PrintType : uint8_t { Int8 = 1, Int16, Int32, Int64, Float16, Float32, Float64, Pointer, String };
struct PrintTag {
  PrintType type;
  uint8_t elements; ///< 1, 2, 3, 4, 8 or 16; that many values of the type's size follow (String: one pointer)
};

} // namespace us::abi
