// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which devices exist: the one place where emulated (later: real) devices are put together, for both APIs.
#pragma once

#include "runtime/base/ref.h"
#include "runtime/device/device.h"

#include <string>
#include <utility>
#include <vector>

namespace us::platform {

/// The process's devices, made at the first call and kept for its whole life; the first one is the default. Empty if
/// none could be made (a line of log says why).
const std::vector<Ref<Device>> &devices();

/// The real devices that emulated ones can pretend to be: the words of UNDERSTUDY_DEVICE, and what they stand for.
std::vector<std::pair<std::string, std::string>> knownDevices();

} // namespace us::platform
