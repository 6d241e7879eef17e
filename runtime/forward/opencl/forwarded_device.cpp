// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_device.h"

#include "runtime/base/clock.h"
#include "runtime/forward/opencl/device_facts.h"
#include "runtime/forward/opencl/forwarded_image.h"
#include "runtime/forward/opencl/image_facts.h"
#include "runtime/forward/opencl/shared_memory.h"

#include <algorithm>
#include <optional>

namespace us::forward {

Expected<Ref<Device>> ForwardedDevice::create(Ref<RealDevice> device, Ref<Device> describer) {
  US_TRY(Ref<RealQueue> queue, RealQueue::create(device));
  DeviceInfo info = factsOf(device->platform(), device->id());
  addImageFacts(*device, info);
  info.svmCapabilities = sharedCapabilities(*device);
  return Ref<Device>(new ForwardedDevice(std::move(device), std::move(queue), std::move(info), std::move(describer)));
}

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

Expected<size_t> ForwardedDevice::answer(uint32_t question, std::span<const std::byte>, void *value,
                                         size_t size) const {
  size_t needed = 0;
  US_CHECK(
      driverResult("clGetDeviceInfo", device_->call().clGetDeviceInfo(device_->id(), question, size, value, &needed)));
  return needed;
}

Expected<void> ForwardedDevice::check(const LaunchCommand &launch) const { return checkLaunch(launch, info_); }

Ref<DeviceQueue> ForwardedDevice::createQueue() {
  Expected<Ref<RealQueue>> queue = RealQueue::create(device_);
  if (!queue) return Ref<DeviceQueue>(this); // the driver has no more
  return makeRef<ForwardedQueue>(*std::move(queue), memory_, info_, queues_);
}

void ForwardedDevice::finishUnlisted() {
  std::vector<Ref<ForwardedQueue>> found; // asked without the mutex: what they tell of may let queues go
  {
    std::lock_guard hold(queues_->mutex);
    for (ForwardedQueue *queue : queues_->queues)
      if (queue->hasUnlisted() && queue->retainIfAlive()) found.push_back(Ref<ForwardedQueue>::adopt(queue));
  }
  for (const Ref<ForwardedQueue> &queue : found) queue->finishUnlisted();
}

void ForwardedDevice::submit(const Command &command, CommandObserver &observer) {
  finishUnlisted();
  queue_->submit(command, observer);
}

Expected<bool> ForwardedDevice::runToEnd(const Command &command) {
  finishUnlisted();
  US_TRY(const bool hasRun, queue_->runToEnd(command));
  queue_->finishUnlisted(); // what comes now may be in other queues
  return hasRun;
}

Expected<std::vector<Ref<Device>>> ForwardedDevice::partition(const Partition &partition) {
  if (info_.maxSubDevices == 0 ||
      (partition.kind == PartitionKind::ByAffinityDomain && !(partition.affinityDomain & info_.affinityDomains)))
    return fail(ErrorCode::DevicePartitionFailed, "the driver does not divide " + info_.name + " so");
  std::vector<cl_device_partition_property> asked;
  switch (partition.kind) {
  case PartitionKind::Equally:
    asked = {CL_DEVICE_PARTITION_EQUALLY, partition.counts.front()};
    break;
  case PartitionKind::ByCounts:
    asked = {CL_DEVICE_PARTITION_BY_COUNTS};
    asked.insert(asked.end(), partition.counts.begin(), partition.counts.end());
    asked.push_back(CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
    break;
  case PartitionKind::ByAffinityDomain:
    asked = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
             static_cast<cl_device_partition_property>(partition.affinityDomain)};
    break;
  }
  asked.push_back(0);
  const cl_icd_dispatch &call = device_->call();
  cl_uint count = 0;
  US_CHECK(
      driverResult("clCreateSubDevices", call.clCreateSubDevices(device_->id(), asked.data(), 0, nullptr, &count)));
  std::vector<cl_device_id> ids(count);
  US_CHECK(driverResult("clCreateSubDevices",
                        call.clCreateSubDevices(device_->id(), asked.data(), count, ids.data(), nullptr)));
  std::vector<Ref<Device>> parts;
  std::optional<Error> failure;
  for (const cl_device_id id : ids) { // all are ours to release
    Expected<Ref<RealDevice>> real = RealDevice::create(device_->platform(), id, true);
    Expected<Ref<Device>> part = real ? create(*std::move(real), describer_) : std::unexpected(real.error());
    if (part)
      parts.push_back(*std::move(part));
    else
      failure = part.error();
  }
  if (failure) return std::unexpected(*std::move(failure));
  return parts;
}

} // namespace us::forward
