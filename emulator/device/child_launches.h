// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that a kernel enqueues on the device: run on the thread of the launch that came from the host, after it.
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

/// The same, where the kernels call an API's device runtime.
Expected<void> runWithGrids(EmulatedDevice &device, const LaunchCommand &command, KernelCode &kernel,
                            exec::LaunchPlan &plan, CommandObserver &observer);

/// Runs a planned launch and all that it and its descendants enqueue; `observer` hears when the launch's own work-items
/// have ended. The first failure ends all of it.
Expected<void> runWithChildren(EmulatedDevice &device, const LaunchCommand &command, KernelCode &kernel,
                               exec::LaunchPlan &plan, CommandObserver &observer);

} // namespace us::emulator
