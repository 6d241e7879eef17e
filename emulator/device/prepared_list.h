// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is found out of a list's launches in its first run, and holds in all later ones.
#pragma once

#include "runtime/base/geometry.h"
#include "runtime/device/command.h"

#include <atomic>
#include <vector>

namespace us::emulator {

class EmulatedDevice;
struct ReadyCode;

/// A launch that was checked and has work-items; others have a local size of zeros.
struct PreparedLaunch {
  Size3 localSize{0, 0, 0};
  /// Null as long as another run may want other code. Lives as long as the launch's kernel.
  std::atomic<ReadyCode *> code{nullptr};
};

struct PreparedList final : ListState {
  PreparedList(const EmulatedDevice &device, size_t commands) : device(&device), launches(commands) {}

  const EmulatedDevice *device;         ///< only compared: launches on another device may have other sizes
  std::vector<PreparedLaunch> launches; ///< by the command's number
};

} // namespace us::emulator
