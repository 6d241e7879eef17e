// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches by kernels: the API behind the host's launch (runtime/device/device_runtime.h) says what to run, this runs
// it, on the thread of the host's launch. A kernel that waits for its children has them run on a thread of its own.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/device/command.h"

namespace us {
class CommandObserver;
}
namespace us::exec {
struct LaunchPlan;
}

namespace us::emulator {

class EmulatedDevice;
class KernelCode;

/// Runs a planned launch and all that it and its descendants launch; `observer` hears when the launch's own work-items
/// have ended. The first failure ends all of it.
Expected<void> runWithChildren(EmulatedDevice &device, const LaunchCommand &command, KernelCode &kernel,
                               exec::LaunchPlan &plan, CommandObserver &observer);

} // namespace us::emulator
