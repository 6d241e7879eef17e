// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a device is divided into sub-devices.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/device/device.h"

#include <vector>

namespace us::emulator {

/// The affinity domains (bits of cl_device_affinity_domain) by which this machine's cores fall into several parts.
uint64_t affinityDomains();

/// The compute units of each part. Errors as Device::partition.
Expected<std::vector<uint32_t>> partitionUnits(const DeviceInfo &device, const Partition &partition);

} // namespace us::emulator
