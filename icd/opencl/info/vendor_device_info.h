// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of cl_nv_device_attribute_query and cl_amd_device_attribute_query: answered by devices that pretend to be
// such.
#pragma once

#include "icd/common/info_table.h"
#include "icd/opencl/cl.h"
#include "runtime/device/device_info.h"

#include <optional>

namespace us::opencl {

/// Nothing if `name` is no query of a vendor's, or the device does not have the fact.
std::optional<Expected<void>> answerVendorQuery(const DeviceInfo &device, cl_device_info name, icd::InfoWriter &writer);

} // namespace us::opencl
