// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a device is divided into sub-devices.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/device/device.h"

#include <span>
#include <vector>

namespace us::emulator {

struct DevicePart {
  uint32_t units = 0;
  std::vector<int> cores; ///< the only ones that run its work; empty: any
};

/// The affinity domains (bits of cl_device_affinity_domain) by which cores fall into several parts; none given: all
/// that this process may use.
uint64_t affinityDomains(std::span<const int> cores = {});

/// The parts of a device whose work runs on `cores` (empty: any). Errors as Device::partition.
Expected<std::vector<DevicePart>> partitionDevice(const DeviceInfo &device, std::span<const int> cores,
                                                  const Partition &partition);

} // namespace us::emulator
