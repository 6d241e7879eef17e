// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels call to launch kernels: the device runtime of launches from the host
// (docs/decisions/0035-dynamic-parallelism.md).
#pragma once

#include "icd/cuda/module.h"
#include "runtime/device/device_runtime.h"

namespace us::cuda {

/// For launches of one of the module's functions; it keeps the module.
Ref<DeviceRuntime> makeDeviceRuntime(Module &module);

} // namespace us::cuda
