// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_device.h"

#include "runtime/base/clock.h"
#include "runtime/forward/opencl/forwarded_image.h"
#include "runtime/forward/opencl/shared_memory.h"

#include <algorithm>

namespace us::forward {

uint64_t ForwardedDevice::now() const { return monotonicNanoseconds(); }

Expected<std::unique_ptr<DeviceMemory>> ForwardedDevice::allocate(const MemoryRequest &request) {
  if (request.shared) return SharedMemory::create(device_, memory_, request, info_.globalMemory);
  return ForwardedMemory::create(device_, memory_, request, info_.globalMemory);
}

Expected<std::unique_ptr<DeviceImage>> ForwardedDevice::createImage(const ImageDescription &image, std::byte *memory) {
  if (!info_.images) return fail(ErrorCode::Unsupported, info_.name + " has no images");
  return ForwardedImage::create(device_, image, memory_->find(reinterpret_cast<uint64_t>(memory)));
}

void ForwardedDevice::unloadCompiler() {
  const DriverPlatform &platform = device_->platform();
  if (platform.call->clUnloadPlatformCompiler) platform.call->clUnloadPlatformCompiler(platform.id);
}

Expected<Size3> ForwardedDevice::suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &,
                                                  const Size3 &globalSize) {
  if (const Size3 &required = kernel.info().requiredWorkGroupSize; required[0]) return required;
  uint64_t most = std::clamp<uint64_t>(kernel.info().largestWorkGroup, 1, info_.maxWorkGroupSize);
  // Parts that divide the range, as large as they may be, dimension by dimension.
  Size3 local{1, 1, 1};
  for (uint32_t i = 0; i < dimensions; ++i) {
    uint64_t part = std::min<uint64_t>({most, globalSize[i], info_.maxWorkItemSizes[i]});
    while (part > 1 && globalSize[i] % part) --part;
    local[i] = std::max<uint64_t>(part, 1);
    most /= local[i];
  }
  return local;
}

Expected<void> ForwardedDevice::check(const LaunchCommand &launch) const { return checkLaunch(launch, info_); }

Ref<DeviceQueue> ForwardedDevice::createQueue() {
  Expected<Ref<RealQueue>> queue = RealQueue::create(device_);
  if (!queue) return Ref<DeviceQueue>(this); // the driver has no more
  return makeRef<ForwardedQueue>(*std::move(queue), memory_, info_);
}

Expected<std::vector<Ref<Device>>> ForwardedDevice::partition(const Partition &) {
  return fail(ErrorCode::DevicePartitionFailed, "a real device is not divided");
}

} // namespace us::forward
