// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which work-group size to use when the program names none, and which one to run with when nobody can tell.
#pragma once

#include "runtime/device/device_info.h"
#include "runtime/device/executable.h"

namespace us::emulator {

/// The size that a launch without a local size gets, as the kernel's queries see it. Divides the global size if the
/// program was compiled for uniform groups.
Size3 chooseLocalSize(const KernelInfo &kernel, const DeviceInfo &device, uint32_t dimensions, const Size3 &globalSize);

/// True if no work-item can find out how the range is divided into groups.
bool shapeIsInvisible(const KernelInfo &kernel);

/// For such a kernel: the shape to run with, whatever the program asked for. There are few, so code is reused.
Size3 internalLocalSize(const KernelInfo &kernel, const DeviceInfo &device, uint32_t dimensions,
                        const Size3 &globalSize);

} // namespace us::emulator
