// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels do with queues and events on the device, and when what they enqueue is run
// (docs/decisions/0025-device-side-enqueue.md).
#pragma once

#include "runtime/core/on_device_queue.h"
#include "runtime/device/device_runtime.h"

namespace us::core {

/// For launches of that kernel; it keeps all three. `defaultQueue`: what get_default_queue() gives, or null.
Ref<DeviceRuntime> makeEnqueueRuntime(Device &device, DeviceKernel &kernel, Ref<OnDeviceQueue> defaultQueue);

} // namespace us::core
