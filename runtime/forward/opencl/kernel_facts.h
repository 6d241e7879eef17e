// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a kernel of a driver's program.
#pragma once

#include "runtime/device/executable.h"
#include "runtime/forward/opencl/real_device.h"

namespace us::forward {

/// The kernel's facts. Kinds and sizes of arguments come from `described`, what another compiler knows of a kernel of
/// that name in the same source; without it, or where it has another number of arguments, the driver is asked: by
/// clGetKernelArgInfo, which most answer only for programs that were built to be asked, and by what it accepts.
/// InvalidKernelDefinition if it does not tell. The kernel's arguments are not what they were afterwards.
Expected<KernelInfo> kernelFacts(const RealDevice &device, cl_kernel kernel, const KernelInfo *described);

} // namespace us::forward
