// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of an API that its kernels call while they run, above all those that launch further kernels. The device
// carries the calls to the API that launched the kernel, and runs what comes of them.
// docs/decisions/0051-launches-by-kernels.md
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/device/command.h"
#include "runtime/device/device_functions.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace us {

/// What the kernels of one launch from the host and the API reach of each other, as long as that lasts. Thread-safe.
class KernelMemory {
public:
  virtual ~KernelMemory() = default;
  /// The address of so many zeros, a multiple of the alignment; 0: there is no room.
  virtual uint64_t allocate(uint64_t size, uint64_t alignment) = 0;
  /// Reads what was allocated there, and gives it back.
  virtual void take(uint64_t address, std::span<std::byte> into) = 0;
  /// The address of a text, which lives as long as the process.
  virtual uint64_t addressOf(const char *text) = 0;

  // During a call: what its arguments point to. A bad address ends the kernel from here, as a fault of its own does:
  // the caller holds no lock, and owns nothing that only its frame would free.
  virtual void read(uint64_t address, std::span<std::byte> into) = 0;
  virtual void write(uint64_t address, std::span<const std::byte> from) = 0;
  /// The address of a copy of so many bytes, which take() gives back; 0: there is no room.
  virtual uint64_t copy(uint64_t address, uint64_t size, uint64_t alignment) = 0;
  /// Up to its zero; valid as long as the kernel leaves it there.
  virtual std::string_view textAt(uint64_t address) = 0;

  /// Later, when no kernel is there to end: false if there is no memory.
  virtual bool writeSafely(uint64_t address, std::span<const std::byte> from) = 0;
};

/// What a launch carries; the same for every run of it, which may be several at once (recorded commands).
class DeviceRuntime : public Object {
public:
  /// A launch, the host's or a kernel's: the runtime makes it what it likes, the device only hands it back.
  struct Launch {};
  /// Something that kernels asked for, and whose turn it is.
  struct Work {
    const Command *command = nullptr; ///< null: nothing is left
    Launch *launch = nullptr;         ///< of a LaunchCommand
  };

  /// One run of the launch, with all that its kernels launch. Destroyed when it has ended, or has failed.
  class Run {
  public:
    virtual ~Run() = default;
    /// The host's launch.
    virtual Launch &root() = 0;
    /// Called by kernels, on any thread and on a work-item's stack. Nothing: the API has no such function.
    /// DeviceSynchronize says (0) whether it may wait; the device does it then. What it throws fails the host's launch.
    virtual std::optional<uint64_t> call(Launch &caller, DeviceFunction function, DeviceCall &call) = 0;
    /// What to run next of all that was launched below `top`, whose own work-items have ended or wait for it (`isOver`
    /// false); what was handed out before has ended. `at` is the walk's place, `top` at first. One walk at a time for a
    /// launch. An error ends the host's launch.
    virtual Expected<Work> next(Launch &top, Launch *&at, bool isOver) = 0;
  };

  /// The memory stays until the run is destroyed.
  virtual std::unique_ptr<Run> begin(KernelMemory &memory) const = 0;
  /// What messages say that a kernel did with what it launched.
  virtual std::string_view verb() const = 0;
};

} // namespace us
