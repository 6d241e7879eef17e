// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_devices.h"

#include "runtime/forward/opencl/device_facts.h"
#include "runtime/forward/opencl/forwarded_device.h"

namespace us::forward {
namespace {

/// Sub-buffers, linking and fills are of 1.2.
bool isOldVersion(const std::string &version) { return version < "OpenCL 1.2"; }

} // namespace

Expected<std::vector<Ref<Device>>> openDevices(const ForwardRequest &request) {
  US_TRY(const OpenedDriver driver, openDriver(request.library, ownLibraries()));
  std::vector<Ref<Device>> found;
  for (const DriverPlatform &platform : driver.platforms) {
    if (isOldVersion(platformText(platform, CL_PLATFORM_VERSION))) continue;
    US_TRY(const std::vector<cl_device_id> devices, devicesOf(platform));
    for (const cl_device_id id : devices) {
      const DeviceInfo info = factsOf(platform, id);
      if (isOldVersion(info.version) || !info.available || (request.wants && !request.wants(info))) continue;
      Expected<Ref<RealDevice>> real = RealDevice::create(platform, id);
      Expected<Ref<Device>> made =
          real ? ForwardedDevice::create(*std::move(real), request.describer) : std::unexpected(real.error());
      if (!made) return fail(made.error().code, "has a device, " + info.name + ", but: " + made.error().message);
      found.push_back(*std::move(made));
    }
  }
  return found;
}

} // namespace us::forward
