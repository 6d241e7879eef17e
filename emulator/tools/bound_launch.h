// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A described launch with its arguments in the device's memory: fills them, makes the command, compares what came of
// it.
#pragma once

#include "emulator/tools/launch_description.h"
#include "runtime/core/on_device_queue.h"
#include "runtime/device/device.h"
#include "runtime/device/device_runtime.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

namespace us::tools {

/// One argument's memory: what it holds before each tier's run, and where the kernel sees it.
struct BoundArgument {
  std::vector<std::byte> initial;
  std::unique_ptr<std::byte[]> hosts; ///< what `memory` lies in, if that is the host's
  std::unique_ptr<DeviceMemory> memory;
  uint64_t offset = 0; ///< of the argument in `memory`
  uint64_t address() const { return memory->address() + offset; }
  std::byte *hostAddress() const { return memory->hostAddress() + offset; }
  std::unique_ptr<DeviceImage> image;
  uint64_t pipe = 0; ///< what the kernel gets for it
  Ref<core::OnDeviceQueue> queue;
};

struct BoundLaunch {
  const LaunchDescription &description;
  Device &device;
  Ref<DeviceKernel> kernel;
  uint64_t seed;
  std::vector<BoundArgument> bound{};
  // Null where the device has no queues.
  Ref<core::Context> context{};
  Ref<DeviceRuntime> runtime{};

  /// Memory for every argument, and what it holds at first; arguments may refer to earlier ones.
  Expected<void> bind();
  /// Puts into the memory what it holds at first.
  Expected<void> fill();
  Expected<LaunchCommand> command() const;
  /// One argument's contents after the launch; false if they are not as expected.
  bool report(size_t index, nlohmann::ordered_json &json) const;

private:
  Number initialElement(unsigned argument, int64_t index) const;
  Surroundings around(int64_t i, int64_t n) const;
  static bool close(const ArgumentDescription &argument, Number expected, Number found);
};

} // namespace us::tools
