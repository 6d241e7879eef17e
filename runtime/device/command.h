// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands as data: what a queue asks of a device. A command names only addresses and device objects; whoever submits
// it keeps those alive until it has finished.
#pragma once

#include "runtime/base/geometry.h"
#include "runtime/base/inline_vector.h"
#include "runtime/base/ref.h"
#include "runtime/device/memory.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace us {

class DeviceKernel;
struct CallSite;
class DeviceTexture;
class DeviceRuntime;

/// What the host gave to a kernel for a pointer.
struct ArgumentMemory {
  static constexpr uint64_t kUnknown = ~uint64_t(0);
  uint64_t size = kUnknown; ///< bytes from where it points
  KernelAccess access = {};
};

/// Runs a kernel over an N-dimensional range.
struct LaunchCommand {
  Ref<DeviceKernel> kernel;
  uint32_t workDimensions = 1;
  Size3 globalOffset{0, 0, 0};
  Size3 globalSize{1, 1, 1};
  Size3 localSize{0, 0, 0}; ///< zeros: the device chooses
  /// The packed argument block (KernelInfo's offsets). A LocalPointer argument holds its offset into the local arena,
  /// which begins with the kernel's static local memory.
  InlineVector<std::byte, 64> arguments;
  uint64_t localMemory = 0;   ///< bytes of the local arena: static plus arguments
  uint64_t dynamicMemory = 0; ///< of these, what kernels are told the launch has added
  /// Of so many work-groups, all make progress together and reach each other's local memory. They divide the range's.
  /// Zeros: nobody asks for it, each is for itself.
  Size3 clusterSize{0, 0, 0};
  bool allTogether = false; ///< the work-groups may wait for each other: all make progress from the beginning
  /// The functions that the kernel calls; null: none. Kernels with KernelInfo::usesDeviceQueue only.
  const DeviceRuntime *deviceRuntime = nullptr;
  Object *heap = nullptr;   ///< of Device::createHeap; null: the device's own
  uint64_t printfBytes = 0; ///< room for what the kernel prints; 0: what the device has
  uint64_t stackBytes = 0;  ///< of a work-item, where its code does not say; 0: the device chooses
  /// Addresses in shared virtual memory that the kernel reaches by other ways than its arguments; null: none.
  std::shared_ptr<const std::vector<const void *>> indirect{};
  const CallSite *enqueuedAt = nullptr; ///< null: nobody looked
  /// By argument; null: nothing is known. Only for a device with DeviceInfo::checksArguments.
  std::shared_ptr<const std::vector<ArgumentMemory>> argumentMemory{};
  /// Not 0: any other launch in this process with this number has the same kernel and arguments, and what they are need
  /// not be kept alive by who submits (DeviceQueue::passAgain).
  uint64_t argumentsNumber = 0;
};

/// What a launch runs over.
struct LaunchShape {
  uint32_t dimensions = 1;
  Size3 offset{0, 0, 0}, global{1, 1, 1};
  Size3 local{0, 0, 0}; ///< zeros: the device chooses
};

/// Copies {bytes, rows, slices} between two places the device can reach.
struct CopyCommand {
  std::byte *to = nullptr;
  PitchedLayout toLayout;
  const std::byte *from = nullptr;
  PitchedLayout fromLayout;
  Size3 region{0, 1, 1};
  bool isChecked = false; ///< the addresses are a kernel's: KernelFault where there is no memory
};

/// Repeats a pattern (1 to 128 bytes) over memory: over one range, or over each row of a box (images).
struct FillCommand {
  std::byte *to = nullptr;
  uint64_t size = 0; ///< bytes of a row, a multiple of the pattern
  std::array<std::byte, 128> pattern{};
  uint32_t patternSize = 0;
  uint64_t rows = 1, slices = 1;
  uint64_t rowPitch = 0, slicePitch = 0; ///< bytes; unused where there is one row, one slice
  bool isChecked = false;                ///< as CopyCommand's
};

/// Binds a texture to a variable of a program (TextureVariable::address), which keeps neither alive.
struct BindCommand {
  uint64_t variable = 0;
  const DeviceTexture *texture = nullptr;
};

/// Makes memory visible to the host or back to the device; nothing to do where memory is shared.
struct MapCommand {
  uint64_t address = 0, size = 0;
  bool unmap = false, willRead = true, willWrite = true;
};

/// Calls the host (native kernels): run on an ordinary thread of the runtime, with no lock held.
struct HostCallCommand {
  std::function<void()> call;
};

/// Nothing (markers, barriers, migrations where memory is shared).
struct NoCommand {};

struct CommandList;

/// Other commands, one after the other in the list's order; the first failure ends it. Holds no host calls and no
/// sequences but those of branches.
struct SequenceCommand {
  std::shared_ptr<const CommandList> list; ///< shared by every submission of it
};

/// One of several lists, or one again and again, as a word in memory says when its turn has come. Only in a list.
struct BranchCommand {
  enum class Rule : uint8_t {
    NonZero, ///< the first if it is not 0, else the second if there is one
    While,   ///< the first as long as it is not 0
    Number,  ///< the one of that number, if there is one
  };
  const uint32_t *word = nullptr; ///< both the host and the device reach it
  Rule rule = Rule::NonZero;
  std::vector<std::shared_ptr<const CommandList>> lists;
};

using Command = std::variant<NoCommand, LaunchCommand, CopyCommand, FillCommand, MapCommand, HostCallCommand,
                             SequenceCommand, BindCommand, BranchCommand>;

/// What a device knows of a list that it has run, for its next run.
class ListState {
public:
  virtual ~ListState() = default;
};

/// Holds the state that a device has made of a list. A copy holds none, since a list is copied to be changed.
class ListStateSlot {
public:
  ListStateSlot() = default;
  ListStateSlot(const ListStateSlot &) {}
  ListStateSlot &operator=(const ListStateSlot &) = delete;
  ~ListStateSlot() { delete state_.load(std::memory_order_relaxed); }
  /// Null: nothing was kept.
  ListState *get() const { return state_.load(std::memory_order_acquire); }
  /// Of states that several threads would keep the first stays, and is returned.
  ListState &keep(std::unique_ptr<ListState> state) const {
    ListState *there = nullptr;
    return state_.compare_exchange_strong(there, state.get(), std::memory_order_acq_rel) ? *state.release() : *there;
  }

private:
  mutable std::atomic<ListState *> state_{nullptr};
};

struct CommandList {
  std::vector<Command> commands;
  ListStateSlot state; ///< of the device that runs it; the commands stay as they are from its first run on
};

/// What a branch runs in its turn 0, 1, ...; null: no more.
inline std::shared_ptr<const CommandList> chosenBy(const BranchCommand &branch, uint64_t turn) {
  const uint32_t value = __atomic_load_n(branch.word, __ATOMIC_ACQUIRE);
  if (branch.rule != BranchCommand::Rule::While && turn > 0) return nullptr;
  size_t number = value;
  if (branch.rule == BranchCommand::Rule::NonZero) number = value ? 0 : 1;
  if (branch.rule == BranchCommand::Rule::While) number = value ? 0 : branch.lists.size();
  return number < branch.lists.size() ? branch.lists[number] : nullptr;
}

} // namespace us
