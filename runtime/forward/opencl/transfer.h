// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills by the driver, between memory of a real device and of the host.
#pragma once

#include "runtime/device/command.h"
#include "runtime/forward/opencl/completion.h"
#include "runtime/forward/opencl/forwarded_memory.h"

namespace us::forward {

/// KernelFault where a checked copy or fill leaves the memory of the device, InvalidValue where another does.
Expected<Begun> beginCopy(const RealDevice &device, const MemoryTable &memory, const CopyCommand &copy, Manner manner);
/// The same copy to its end, if it is one call of the driver's that waits; false, and nothing was done, if it is not.
Expected<bool> copyToEnd(const RealDevice &device, const MemoryTable &memory, const CopyCommand &copy,
                         Completion &completion);
Expected<Begun> beginFill(const RealDevice &device, const MemoryTable &memory, const FillCommand &fill);

} // namespace us::forward
