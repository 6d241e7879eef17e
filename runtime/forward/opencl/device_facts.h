// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver says of its device, as far as commands for it are forwarded.
#pragma once

#include "runtime/device/device_info.h"
#include "runtime/forward/loader/driver_library.h"

namespace us::forward {

/// The device's facts: the driver's own answers, but for images (image_facts.h) and shared virtual memory
/// (shared_memory.h). What is not forwarded (pipes, queues on the device, division) is not there, and of the extensions
/// only those that need nothing of us but the compiler, and those that are ours.
DeviceInfo factsOf(const DriverPlatform &platform, cl_device_id device);

} // namespace us::forward
