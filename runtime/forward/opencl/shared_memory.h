// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory of a driver: the driver's address is the host's, and commands have that one.
#pragma once

#include "runtime/device/command.h"
#include "runtime/forward/opencl/completion.h"
#include "runtime/forward/opencl/forwarded_memory.h"

namespace us::forward {

/// The driver's bits of DeviceInfo::svmCapabilities that we forward; 0 also where it lacks a function for it.
uint64_t sharedCapabilities(const RealDevice &device);

class SharedMemory final : public DeviceMemory {
public:
  static Expected<std::unique_ptr<DeviceMemory>> create(Ref<RealDevice> device, std::shared_ptr<MemoryTable> table,
                                                        const MemoryRequest &request, uint64_t deviceMemory);
  ~SharedMemory() override;

  uint64_t address() const override { return reinterpret_cast<uint64_t>(begin_); }
  std::byte *hostAddress() const override { return begin_; }
  uint64_t size() const override { return size_; }

private:
  SharedMemory(Ref<RealDevice> device, std::shared_ptr<MemoryTable> table, uint64_t size)
      : device_(std::move(device)), table_(std::move(table)), size_(size) {}

  const Ref<RealDevice> device_;
  const std::shared_ptr<MemoryTable> table_;
  const uint64_t size_;
  std::byte *begin_ = nullptr;
};

/// Copies {bytes, rows, slices} where one side is shared memory, and neither is other memory of the device.
Expected<Begun> beginSharedCopy(const RealQueue &on, std::byte *to, const PitchedLayout &toLayout,
                                const std::byte *from, const PitchedLayout &fromLayout, const Size3 &region);
Expected<Begun> beginSharedFill(const RealQueue &on, const FillCommand &fill);
Expected<Begun> beginSharedMap(const RealQueue &on, const MapCommand &map);

} // namespace us::forward
