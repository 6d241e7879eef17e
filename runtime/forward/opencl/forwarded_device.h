// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device interface over a real device.
#pragma once

#include "runtime/device/device.h"
#include "runtime/forward/opencl/completion.h"
#include "runtime/forward/opencl/forwarded_memory.h"
#include "runtime/forward/opencl/forwarded_program.h"

namespace us::forward {

class ForwardedDevice final : public Device {
public:
  ForwardedDevice(Ref<RealDevice> device, DeviceInfo info, Ref<Device> describer)
      : device_(std::move(device)), info_(std::move(info)), builder_(device_, std::move(describer)),
        completion_(device_) {}

  const DeviceInfo &info() const override { return info_; }
  uint64_t now() const override;
  Expected<std::unique_ptr<DeviceMemory>> allocate(const MemoryRequest &request) override;
  Expected<std::unique_ptr<DeviceImage>> createImage(const ImageDescription &image, std::byte *memory) override;
  BuildResult compile(const CompileRequest &request) override { return builder_.compile(request); }
  BuildResult link(const LinkRequest &request) override { return builder_.link(request); }
  Expected<Ref<DeviceProgram>> load(std::span<const std::byte> binary) override { return builder_.load(binary); }
  void unloadCompiler() override;
  Expected<Size3> suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &globalOffset,
                                   const Size3 &globalSize) override;
  Expected<void> check(const LaunchCommand &launch) const override;
  void submit(const Command &command, CommandObserver &observer) override;
  void flush() override { completion_.flush(); }
  bool poll() override { return completion_.poll(); }
  void finish() override { completion_.finish(); }
  Expected<bool> pass(const LaunchCommand &launch, CommandOwner &owner, KeptObjects &keep) override;
  Expected<bool> runToEnd(const Command &command) override;
  void await(CommandObserver &observer) override { completion_.await(observer); }
  void watch(CommandObserver &observer) override { completion_.watch(observer); }
  Expected<std::vector<Ref<Device>>> partition(const Partition &partition) override;

private:
  class CommandPieces;

  const Ref<RealDevice> device_;
  const DeviceInfo info_;
  const std::shared_ptr<MemoryTable> memory_ = std::make_shared<MemoryTable>();
  const Builder builder_;
  Completion completion_; ///< last: it ends before what its commands use
};

} // namespace us::forward
