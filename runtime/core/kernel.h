// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel: a function of a program on the devices it was built for, with arguments.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/base/short_lock.h"
#include "runtime/core/argument_block.h"
#include "runtime/core/program.h"
#include "runtime/core/queue.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace us::core {

class Kernel final : public Object {
public:
  Program &program() const { return *program_; }
  const std::string &name() const { return name_; }
  /// What the kernel is, on its first device; arguments and attributes are the same on all.
  const KernelInfo &info() const { return kernels_.front().second->info(); }

  /// The kernel on a device; InvalidProgramExecutable if the program was built neither for it nor for a parent of it.
  Expected<Ref<DeviceKernel>> on(const Device &device) const;
  /// The devices it was built for.
  std::vector<Ref<Device>> devices() const;

  // Arguments: see ArgumentBlock. Thread-safe.
  Expected<void> setValue(uint32_t index, std::span<const std::byte> bytes);
  Expected<void> setBuffer(uint32_t index, Buffer *buffer);
  Expected<void> setImage(uint32_t index, Image &image);
  Expected<void> setPipe(uint32_t index, Pipe &pipe);
  Expected<void> setQueue(uint32_t index, OnDeviceQueue &queue);
  Expected<void> setSampler(uint32_t index, const SamplerDescription &sampler);
  Expected<void> setLocal(uint32_t index, uint64_t size);
  Expected<void> setPointer(uint32_t index, const void *pointer);
  bool setValueQuickly(uint32_t index, const void *bytes, size_t size) {
    return arguments_.setValueQuickly(index, bytes, size);
  }
  bool setBufferQuickly(uint32_t index, const Buffer &buffer) { return arguments_.setBufferQuickly(index, buffer); }

  /// Addresses in shared virtual memory that the kernel reaches through other pointers: what they lie in is kept alive
  /// while a launch needs it.
  Expected<void> setIndirectPointers(std::vector<const void *> pointers);
  /// The kernel reaches memory of the host that is no shared allocation: launches on devices without fine-grain system
  /// memory fail.
  Expected<void> setUsesSystemMemory(bool uses);

  /// Bytes of local memory a work-group uses on a device, `__local` arguments as set now included.
  Expected<uint64_t> localMemoryOn(const Device &device) const;

  /// The first argument whose object is gone.
  std::optional<uint32_t> releasedArgument() const;

  /// A new kernel with the same arguments set; later changes to either do not touch the other.
  Ref<Kernel> clone() const;

  /// Fills a launch (kernel, arguments, local memory) from the arguments as they are now, and what it must keep alive.
  /// The caller adds the range. True if the launch moves no memory: nothing that it reads is elsewhere alone, and
  /// nothing that it may write is anywhere else, too (false where that is not cheap to know). InvalidProgramExecutable,
  /// InvalidKernelArgs (named by index), MisalignedSubBufferOffset, InvalidOperation for pointers that the device
  /// cannot follow, OutOfResources if it needs more local memory, images, samplers or pipes than the device has, errors
  /// of Buffer::memoryOn, Image::on and Pipe::on.
  Expected<bool> prepareLaunch(Device &device, LaunchCommand &launch, KeepList &keep) const;
  /// A launch on that device was once such as preparedFor tells of.
  bool mayBePreparedFor(const Device &device) const {
    return latest_.device.load(std::memory_order_relaxed) == &device;
  }
  /// Whether a launch on that device would be prepared as the latest one, and moves no memory. Cheap, without a lock.
  PreparedLaunch preparedFor(const Device &device) const {
    const uint64_t number = latest_.number.load(std::memory_order_acquire);
    if (number == 0 || latest_.argumentsAge.load(std::memory_order_acquire) != arguments_.age() ||
        latest_.memoryAge.load(std::memory_order_acquire) != program_->context().memoryAge() ||
        latest_.device.load(std::memory_order_acquire) != &device)
      return {};
    const PreparedLaunch prepared{latest_.kernel.load(std::memory_order_acquire), number};
    return latest_.number.load(std::memory_order_acquire) == number ? prepared : PreparedLaunch();
  }

  /// As preparedFor where only arguments have changed that the queue's device, which this is, can be told of one by
  /// one: it was told.
  PreparedLaunch prepareAgain(const Device &device, DeviceQueue &queue) const;

private:
  friend class Program;
  using PerDevice = std::vector<std::pair<Ref<Device>, Ref<DeviceKernel>>>;
  Kernel(Program &program, std::string name, PerDevice kernels, ArgumentBlock arguments);
  ~Kernel() override;
  void lastReferenceGone() override;
  Expected<void> keepShared(const DeviceInfo &device, KeepList &keep) const;
  /// The latest launch that was prepared. Written with mutex_ held and read without: while it changes, number is 0.
  struct Latest {
    std::atomic<uint64_t> number{0}, argumentsAge{0}, memoryAge{0};
    std::atomic<const Device *> device{nullptr};
    std::atomic<DeviceKernel *> kernel{nullptr};
  };
  void note(const Device &device, LaunchCommand &launch, uint64_t argumentsAge, uint64_t memoryAge) const;

  const Ref<Program> program_;
  const std::string name_;
  const PerDevice kernels_; ///< at least one

  mutable Latest latest_;
  mutable ShortLock mutex_; // guards all below, but for what is set quickly
  ArgumentBlock arguments_;
  std::shared_ptr<const std::vector<const void *>> indirectPointers_; ///< null: none
  bool usesSystemMemory_ = false;
};

} // namespace us::core
