// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a real device. The driver tells no address of it, so it has one of ours, where no machine has memory:
// commands and argument blocks name memory by it, and are told here which object of the driver's that is: a buffer, or
// an image, of which the bytes count as its description lays them out.
#pragma once

#include "runtime/device/image.h"
#include "runtime/device/memory.h"
#include "runtime/forward/opencl/real_device.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace us::forward {

class ForwardedMemory;

/// A byte of a device's memory.
struct MemoryPlace {
  ForwardedMemory *memory = nullptr; ///< null: no memory of this device
  uint64_t offset = 0;
};

/// The memory of one device, by address. Thread-safe.
class MemoryTable {
public:
  /// MemObjectAllocationFailure when the device has no more.
  Expected<void> charge(uint64_t size, uint64_t all);
  void giveBack(uint64_t size) { used_.fetch_sub(size); }
  /// An address that nothing else in this process has, for so many bytes.
  void add(ForwardedMemory &memory);
  void remove(const ForwardedMemory &memory);
  /// The memory that holds the byte, or whose end it is, so that ranges may be empty.
  MemoryPlace find(uint64_t address) const;

  /// Shared virtual memory has its driver's address, which is the host's.
  void addShared(uint64_t begin, uint64_t size);
  void removeShared(uint64_t begin);
  bool isShared(uint64_t address) const;
  bool isShared(const std::byte *address) const { return isShared(reinterpret_cast<uint64_t>(address)); }

private:
  std::atomic<uint64_t> used_{0};
  mutable std::mutex mutex_; // guards all below
  std::map<uint64_t, ForwardedMemory *> byAddress_;
  std::map<uint64_t, uint64_t> shared_;   ///< sizes, by where they begin
  std::atomic<bool> isAnyShared_ = false; ///< there was one; read without the mutex
};

class ForwardedMemory final : public DeviceMemory {
public:
  static Expected<std::unique_ptr<DeviceMemory>> create(Ref<RealDevice> device, std::shared_ptr<MemoryTable> table,
                                                        const MemoryRequest &request, uint64_t deviceMemory);
  ~ForwardedMemory() override;

  uint64_t address() const override { return address_; }
  std::byte *hostAddress() const override { return nullptr; }
  uint64_t size() const override { return size_; }

  cl_mem object() const { return object_; }
  /// Where it lies in shared virtual memory, which the host has mapped or the device has; null: it does not.
  std::byte *shared() const { return shared_; }
  /// What the object is; null: a buffer.
  const ImageDescription *image() const { return image_ ? &*image_ : nullptr; }
  /// What a kernel gets that is to see the buffer from `offset` on; lives as long as the memory.
  Expected<cl_mem> objectFrom(uint64_t offset);

private:
  ForwardedMemory(Ref<RealDevice> device, std::shared_ptr<MemoryTable> table, const MemoryRequest &request);

  const Ref<RealDevice> device_;
  const std::shared_ptr<MemoryTable> table_;
  const uint64_t size_;
  const std::optional<ImageDescription> image_;
  std::byte *const shared_;
  uint64_t address_ = 0;
  cl_mem object_ = nullptr;
  std::mutex mutex_;                 // guards parts_
  std::map<uint64_t, cl_mem> parts_; ///< sub-buffers, by where they begin; all reach to the end
};

} // namespace us::forward
