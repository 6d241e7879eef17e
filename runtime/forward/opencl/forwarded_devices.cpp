// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_devices.h"

#include "runtime/forward/opencl/device_facts.h"
#include "runtime/forward/opencl/forwarded_device.h"
#include "runtime/forward/opencl/image_facts.h"
#include "runtime/forward/opencl/shared_memory.h"

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
      DeviceInfo info = factsOf(platform, id);
      if (isOldVersion(info.version) || !info.available || (request.wants && !request.wants(info))) continue;
      Expected<Ref<RealDevice>> real = RealDevice::create(platform, id);
      if (!real) return fail(real.error().code, "has a device, " + info.name + ", but: " + real.error().message);
      Expected<Ref<RealQueue>> queue = RealQueue::create(*real);
      if (!queue) return fail(queue.error().code, "has a device, " + info.name + ", but: " + queue.error().message);
      addImageFacts(**real, info);
      info.svmCapabilities = sharedCapabilities(**real);
      found.push_back(
          makeRef<ForwardedDevice>(*std::move(real), *std::move(queue), std::move(info), request.describer));
    }
  }
  return found;
}

} // namespace us::forward
