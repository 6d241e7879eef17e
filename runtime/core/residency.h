// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings what a command uses to where it runs, in contexts of devices with memory of their own
// (Context::hasSeparateMemory).
#pragma once

#include "runtime/base/expected.h"
#include "runtime/core/keep_list.h"
#include "runtime/device/command.h"

namespace us {
class Device;
}

namespace us::core {

/// Called when a command's dependencies are met and before it is submitted to `device`: of the buffers in `keep`, what
/// the command reads is current there when this returns, and what it writes is current nowhere else any more. Waits for
/// the copies that takes. Errors: the copies'.
Expected<void> bringMemory(Device &device, const Command &command, const KeepList &keep);

/// The same, as far as nobody has to wait: false if bringMemory must be called.
Expected<bool> bringMemoryAtOnce(Device &device, const Command &command, const KeepList &keep);

} // namespace us::core
