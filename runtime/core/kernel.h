// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel: a function of a program on the devices it was built for, with arguments.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/base/short_lock.h"
#include "runtime/core/argument_block.h"
#include "runtime/core/program.h"

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

private:
  friend class Program;
  using PerDevice = std::vector<std::pair<Ref<Device>, Ref<DeviceKernel>>>;
  Kernel(Program &program, std::string name, PerDevice kernels, ArgumentBlock arguments);
  ~Kernel() override;
  void lastReferenceGone() override;
  Expected<void> keepShared(const DeviceInfo &device, KeepList &keep) const;

  const Ref<Program> program_;
  const std::string name_;
  const PerDevice kernels_; ///< at least one

  mutable ShortLock mutex_; // guards all below, but for what is set quickly
  ArgumentBlock arguments_;
  std::shared_ptr<const std::vector<const void *>> indirectPointers_; ///< null: none
  bool usesSystemMemory_ = false;
};

} // namespace us::core
