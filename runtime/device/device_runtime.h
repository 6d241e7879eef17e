// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of an API that its kernels call while they run, above all those that launch further kernels. The device
// carries the calls to the API that launched the kernel, and runs what comes of them.
// docs/decisions/0035-dynamic-parallelism.md
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/device/command.h"
#include "runtime/device/device_functions.h"

#include <cstddef>
#include <span>

namespace us {

/// Memory of the device in which kernels hand something over, as long as the host's launch lasts. Thread-safe.
class KernelMemory {
public:
  virtual ~KernelMemory() = default;
  /// The address of so many zeros, a multiple of 64; 0: there is no room.
  virtual uint64_t allocate(uint64_t size) = 0;
  /// Reads what was allocated there, and gives it back.
  virtual void take(uint64_t address, std::span<std::byte> into) = 0;
  /// The address of a text, which lives as long as the process.
  virtual uint64_t addressOf(const char *text) = 0;
};

/// Of one launch from the host and all that its kernels launch.
class DeviceRuntime : public Object {
public:
  /// A grid is a launch, the host's or a kernel's; the device only hands it back.
  struct Grid;
  /// Something that kernels asked for, and whose turn it is.
  struct Work {
    const Command *command = nullptr; ///< null: nothing is left
    Grid *grid = nullptr;             ///< of a LaunchCommand
  };

  /// The host's launch.
  virtual Grid &root() = 0;
  /// Called by kernels, on any thread and on a work-item's stack. DeviceSynchronize says whether it may wait; the
  /// device does it then.
  virtual uint64_t call(Grid &caller, DeviceFunction function, DeviceCall &call, KernelMemory &memory) = 0;
  /// What to run next of all that was launched below `top`, whose own threads have ended or wait for it (`isOver`
  /// false); what was handed out before has ended. `at` is the walk's place, `top` at first. One walk at a time for a
  /// grid. An error ends the host's launch.
  virtual Expected<Work> next(Grid &top, Grid *&at, bool isOver) = 0;
};

} // namespace us
