// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real devices we can pretend to be: what is known of each (devices/*.json), and how it becomes a DeviceInfo.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/device/device_info.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us::profiles {

struct ProfileText {
  std::string_view word; ///< what UNDERSTUDY_DEVICE names it
  std::string_view json;
};

/// Every file of devices/, made into the library at build time.
std::span<const ProfileText> profileTexts();

/// The words a user may choose, each with a line about the device.
struct ProfileLine {
  std::string word, title;
};
std::vector<ProfileLine> profileLines();

/// Bytes of memory the real device has; InvalidValue names what there is to choose from.
Expected<uint64_t> profileMemory(std::string_view word);

/// What our device `ours` becomes when it pretends: the real device's facts, its limits, and of its abilities those
/// that we have. `differences` says what is not as on the real device. InvalidValue for an unknown word.
Expected<DeviceInfo> pretend(std::string_view word, const DeviceInfo &ours);

} // namespace us::profiles
