// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills on memory that host and device share.
#pragma once

#include "runtime/device/command.h"

namespace us::exec {
class Scheduler;
}

namespace us::emulator {

/// The boxes must not overlap. Large ones are shared out by the scheduler, to `maxThreads` threads (0: as many as there
/// are).
void runCopy(const CopyCommand &copy, exec::Scheduler &scheduler, unsigned maxThreads);
void runFill(const FillCommand &fill, exec::Scheduler &scheduler, unsigned maxThreads);

} // namespace us::emulator
