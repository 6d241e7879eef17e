// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills whose addresses are a kernel's. Slow: the system looks at every page.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/device/command.h"

namespace us::emulator {

/// KernelFault where there is no memory; what lies before that may have been written.
Expected<void> runChecked(const CopyCommand &copy);
Expected<void> runChecked(const FillCommand &fill);

} // namespace us::emulator
