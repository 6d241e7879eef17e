// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills on memory that host and device share.
#pragma once

#include "runtime/device/command.h"

namespace us::emulator {

/// The boxes must not overlap. Large ones are shared out to `maxThreads` threads (0: as many as there are).
void runCopy(const CopyCommand &copy, unsigned maxThreads);
void runFill(const FillCommand &fill, unsigned maxThreads);

} // namespace us::emulator
