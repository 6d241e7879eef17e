// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What UNDERSTUDY_DEVICES says, in words.
#pragma once

#include "runtime/base/expected.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us::platform {

enum class DeviceSource : uint8_t { Emulated, Real };

struct DeviceChoice {
  bool isAutomatic = false; ///< real devices if there are any that the program does not see without us, else emulated
  std::vector<DeviceSource> sources; ///< in the order in which their devices are listed
  uint64_t emulatedCount = 1;
  std::string pretended; ///< what emulated devices pretend to be, with commas; empty: as UNDERSTUDY_DEVICE says
};

/// InvalidValue says what was asked and what is accepted. `known` are the devices that emulated ones can pretend to be.
Expected<DeviceChoice> parseDeviceChoice(std::string_view text, std::span<const std::string> known);

} // namespace us::platform
