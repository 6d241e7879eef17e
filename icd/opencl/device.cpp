// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about devices: finding, dividing, counting, timers.
#include "icd/opencl/device.h"

#include "icd/opencl/entry_points.h"
#include "icd/opencl/platform.h"

#include <algorithm>

namespace us::opencl {
namespace {

constexpr cl_device_type kEveryType = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                      CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;

std::vector<cl_device_id> devicesOfType(const ClPlatform &platform, cl_device_type type) {
  // CL_DEVICE_TYPE_ALL: "All OpenCL devices available in the platform, except CL_DEVICE_TYPE_CUSTOM devices."
  if (type == CL_DEVICE_TYPE_ALL) type = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR;
  std::vector<cl_device_id> result;
  for (const Ref<ClDevice> &device : platform.devices) {
    bool isDefault = device == platform.devices.front() && (type & CL_DEVICE_TYPE_DEFAULT);
    if (isDefault || (typeOf(device->info()) & type)) result.push_back(device->handle());
  }
  return result;
}

/// Reads the property list of clCreateSubDevices.
Expected<Partition> partitionFrom(const cl_device_partition_property *properties,
                                  std::vector<cl_device_partition_property> &asGiven) {
  // "CL_INVALID_VALUE if values specified in properties are not valid"
  if (!properties) return fail(ErrorCode::InvalidValue, "no partition properties were given");
  Partition partition;
  const cl_device_partition_property *next = properties + 1;
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_EQUALLY:
    partition.kind = PartitionKind::Equally;
    if (*next <= 0) return fail(ErrorCode::InvalidValue, "sub-devices need at least one compute unit");
    partition.counts.push_back(static_cast<uint32_t>(*next++));
    break;
  case CL_DEVICE_PARTITION_BY_COUNTS:
    partition.kind = PartitionKind::ByCounts;
    while (*next != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END) {
      // "CL_INVALID_DEVICE_PARTITION_COUNT if ... the number of compute units requested for one or more sub-devices is
      // less than zero"
      if (*next < 0) return fail(ErrorCode::InvalidDevicePartitionCount, "a sub-device of fewer than no compute units");
      partition.counts.push_back(static_cast<uint32_t>(*next++));
    }
    ++next;
    if (partition.counts.empty()) return fail(ErrorCode::InvalidValue, "the list of counts is empty");
    break;
  case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: {
    partition.kind = PartitionKind::ByAffinityDomain;
    partition.affinityDomain = static_cast<uint64_t>(*next++);
    uint64_t domain = partition.affinityDomain;
    if (domain == 0 || (domain & (domain - 1)) || domain > CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
      return fail(ErrorCode::InvalidValue, icd::format("{:#x} is not one affinity domain", domain));
    break;
  }
  default:
    return fail(ErrorCode::InvalidValue, icd::format("there is no partition scheme {:#x}", properties[0]));
  }
  if (*next != 0) return fail(ErrorCode::InvalidValue, "the partition properties do not end with 0");
  asGiven.assign(properties, next + 1);
  return partition;
}

} // namespace

cl_device_type typeOf(const DeviceInfo &info) {
  constexpr cl_device_type kTypes[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                       CL_DEVICE_TYPE_CUSTOM};
  return kTypes[static_cast<size_t>(info.type)];
}

bool hasExtension(const ClDevice &device, std::string_view name) {
  return std::ranges::any_of(device.info().extensions,
                             [&](const NamedVersion &extension) { return extension.name == name; });
}

bool haveImageExtension(const std::vector<Ref<ClDevice>> &devices, std::string_view name) {
  return std::ranges::all_of(
      devices, [&](const Ref<ClDevice> &device) { return !device->info().images || hasExtension(*device, name); });
}

Expected<std::vector<Ref<ClDevice>>> devicesFrom(cl_uint count, const cl_device_id *list) {
  if (count == 0 || !list)
    return fail(ErrorCode::InvalidValue,
                icd::format("a list of {} devices at {}", count, static_cast<const void *>(list)));
  std::vector<Ref<ClDevice>> result;
  for (cl_uint i = 0; i < count; ++i) {
    US_TRY(ClDevice & device, fromHandle<ClDevice>(list[i]));
    // Devices named twice count once.
    if (std::ranges::none_of(result, [&](const auto &known) { return known.get() == &device; }))
      result.emplace_back(&device);
  }
  return result;
}

// clGetDeviceIDs
Expected<void> getDeviceIDs(cl_platform_id handle, cl_device_type type, cl_uint entries, cl_device_id *devices,
                            cl_uint *count) {
  // "CL_INVALID_PLATFORM if platform is not a valid platform."
  US_TRY(ClPlatform & platform, fromHandle<ClPlatform>(handle));
  // "CL_INVALID_DEVICE_TYPE if device_type is not a valid value."
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~kEveryType)))
    return fail(ErrorCode::InvalidDeviceType, icd::format("{:#x} is not a device type", type));
  // "CL_INVALID_VALUE if num_entries is equal to zero and devices is not NULL or if both num_devices and devices are
  // NULL."
  if ((entries == 0 && devices) || (!count && !devices))
    return fail(ErrorCode::InvalidValue, "clGetDeviceIDs was given nowhere to put its answer");
  std::vector<cl_device_id> found = devicesOfType(platform, type);
  // "CL_DEVICE_NOT_FOUND if no OpenCL devices that matched device_type were found."
  if (found.empty()) {
    if (count) *count = 0;
    return fail(ErrorCode::DeviceNotFound, icd::format("no device is of type {:#x}", type));
  }
  returnHandles(found, entries, devices, count);
  return {};
}

// clCreateSubDevices
Expected<void> createSubDevices(cl_device_id handle, const cl_device_partition_property *properties, cl_uint entries,
                                cl_device_id *devices, cl_uint *count) {
  // "CL_INVALID_DEVICE if in_device is not a valid device."
  US_TRY(ClDevice & parent, fromHandle<ClDevice>(handle));
  std::vector<cl_device_partition_property> asGiven;
  US_TRY(Partition partition, partitionFrom(properties, asGiven));
  US_TRY(std::vector<Ref<Device>> parts, parent.device->partition(partition));
  // "CL_DEVICE_PARTITION_FAILED if the partition name is supported by the implementation but in_device could not be
  // further partitioned."
  if (parts.empty()) return fail(ErrorCode::DevicePartitionFailed, "the device cannot be divided further");
  // "CL_INVALID_VALUE if out_devices is not NULL and num_devices is less than the number of sub-devices created by the
  // partition scheme."
  if (devices && entries < parts.size())
    return fail(ErrorCode::InvalidValue, icd::format("room for {} sub-devices, there are {}", entries, parts.size()));
  if (count) *count = static_cast<cl_uint>(parts.size());
  if (!devices) return {};
  std::vector<Ref<ClDevice>> made;
  for (Ref<Device> &part : parts) {
    US_TRY(Ref<ClDevice> device, makeObject<ClDevice>(std::move(part)));
    device->parent = Ref<ClDevice>(&parent);
    device->partition = asGiven;
    made.push_back(std::move(device));
  }
  for (Ref<ClDevice> &device : made) *devices++ = giveToApplication(std::move(device));
  return {};
}

// clRetainDevice
Expected<void> retainDevice(cl_device_id handle) {
  US_TRY(ClDevice & device, fromHandle<ClDevice>(handle));
  // "If device is a root level device i.e. a cl_device_id returned by clGetDeviceIDs, the device reference count
  // remains unchanged."
  if (device.isRoot()) return {};
  return retainHandle<ClDevice>(handle);
}

// clReleaseDevice
Expected<void> releaseDevice(cl_device_id handle) {
  US_TRY(ClDevice & device, fromHandle<ClDevice>(handle));
  if (device.isRoot()) return {}; // as in clRetainDevice
  return releaseHandle<ClDevice>(handle);
}

// clGetDeviceAndHostTimer
Expected<void> getDeviceAndHostTimer(cl_device_id handle, cl_ulong *deviceTime, cl_ulong *hostTime) {
  // "CL_INVALID_DEVICE if device is not a valid device."
  US_TRY(ClDevice & device, fromHandle<ClDevice>(handle));
  // "CL_INVALID_VALUE if host_timestamp or device_timestamp is NULL."
  if (!deviceTime || !hostTime) return fail(ErrorCode::InvalidValue, "a timestamp's place is NULL");
  // The device's clock is the host's.
  *deviceTime = *hostTime = device.device->now();
  return {};
}

// clGetHostTimer
Expected<void> getHostTimer(cl_device_id handle, cl_ulong *hostTime) {
  US_TRY(ClDevice & device, fromHandle<ClDevice>(handle));
  // "CL_INVALID_VALUE if host_timestamp is NULL."
  if (!hostTime) return fail(ErrorCode::InvalidValue, "the timestamp's place is NULL");
  *hostTime = device.device->now();
  return {};
}

} // namespace us::opencl
