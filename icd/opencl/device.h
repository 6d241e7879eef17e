// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_device_id: a root device, or a part of one.
#pragma once

#include "icd/opencl/handle.h"
#include "runtime/device/device.h"

#include <string_view>
#include <vector>

namespace us::opencl {

class ClDevice : public ClObjectOf<ClDevice, cl_device_id, HandleKind::Device, ErrorCode::InvalidDevice> {
public:
  static constexpr const char *kName = "device";
  explicit ClDevice(Ref<Device> device) : device(std::move(device)) {}

  const DeviceInfo &info() const { return device->info(); }
  bool isRoot() const { return !parent; }

  Ref<Device> device;
  Ref<ClDevice> parent;                                ///< null for a root device
  std::vector<cl_device_partition_property> partition; ///< how it was made, as given; empty for a root device
};

/// The devices of a (count, list) parameter pair: InvalidValue for an empty list or null, InvalidDevice for a bad
/// entry.
Expected<std::vector<Ref<ClDevice>>> devicesFrom(cl_uint count, const cl_device_id *list);

cl_device_type typeOf(const DeviceInfo &info);

/// Whether the device offers an extension.
bool hasExtension(const ClDevice &device, std::string_view name);
/// The same of an extension about images, of each device that has images.
bool haveImageExtension(const std::vector<Ref<ClDevice>> &devices, std::string_view name);

/// Copies handles to the application: (entries, list, count) as every "get IDs" call has them.
template <class Handle>
void returnHandles(const std::vector<Handle> &handles, cl_uint entries, Handle *list, cl_uint *count) {
  if (count) *count = static_cast<cl_uint>(handles.size());
  if (list)
    for (size_t i = 0; i < handles.size() && i < entries; ++i) list[i] = handles[i];
}

} // namespace us::opencl
