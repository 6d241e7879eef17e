// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a driver says of the images of a device.
#pragma once

#include "runtime/device/device_info.h"
#include "runtime/forward/opencl/real_device.h"

namespace us::forward {

/// Fills in the facts about images and samplers: those of a device without images stay as they are.
void addImageFacts(const RealDevice &device, DeviceInfo &info);

} // namespace us::forward
