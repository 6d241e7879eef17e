// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handles of a list of devices, as queries answer them.
#pragma once

#include "icd/opencl/device.h"

#include <vector>

namespace us::opencl {

inline std::vector<cl_device_id> handlesOf(const std::vector<Ref<ClDevice>> &devices) {
  std::vector<cl_device_id> handles;
  handles.reserve(devices.size());
  for (const Ref<ClDevice> &device : devices) handles.push_back(device->handle());
  return handles;
}

} // namespace us::opencl
