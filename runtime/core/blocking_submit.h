// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one command on a device and waits for it, outside of any queue.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/device/device.h"

namespace us::core {

/// Returns the command's failure. The caller holds no lock and has made sure that nothing must run before it.
Expected<void> submitAndWait(DeviceQueue &queue, const Command &command);

} // namespace us::core
