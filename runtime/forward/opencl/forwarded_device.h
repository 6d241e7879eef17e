// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device interface over a real device.
#pragma once

#include "runtime/device/device.h"
#include "runtime/device/driver_answers.h"
#include "runtime/forward/opencl/forwarded_program.h"
#include "runtime/forward/opencl/forwarded_queue.h"

namespace us::forward {

class ForwardedDevice final : public Device, public DriverAnswers {
public:
  /// `describer`: as Builder's.
  static Expected<Ref<Device>> create(Ref<RealDevice> device, Ref<Device> describer);

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
  Ref<DeviceQueue> createQueue() override;
  // Commands of no queue: they come after all that any queue has run to its end.
  void submit(const Command &command, CommandObserver &observer) override;
  void flush() override { queue_->flush(); }
  bool poll() override { return queue_->poll(); }
  void finish() override { queue_->finish(); }
  Expected<bool> pass(const LaunchCommand &launch, CommandOwner &owner, KeptObjects &keep) override {
    return queue_->pass(launch, owner, keep);
  }
  Expected<bool> passAgain(DeviceKernel &kernel, uint64_t argumentsNumber, const LaunchShape &shape,
                           std::span<const PassedCommand> after, PassedCommand *passed) override {
    return queue_->passAgain(kernel, argumentsNumber, shape, after, passed);
  }
  bool takeArguments(const LaunchCommand &launch) override { return queue_->takeArguments(launch); }
  bool changeArguments(DeviceKernel &kernel, uint64_t from, uint64_t to,
                       std::span<const ArgumentChange> changes) override {
    return queue_->changeArguments(kernel, from, to, changes);
  }
  void releasePassed(PassedCommand command) override { queue_->releasePassed(command); }
  bool awaitPassed(std::span<const PassedCommand> commands) override { return queue_->awaitPassed(commands); }
  void adopt(PassedCommand command, CommandObserver &observer) override { queue_->adopt(command, observer); }
  bool finishPassedAgain(CommandOwner &owner) override { return queue_->finishPassedAgain(owner); }
  Expected<bool> runToEnd(const Command &command) override;
  void await(CommandObserver &observer) override { queue_->await(observer); }
  void watch(CommandObserver &observer) override { queue_->watch(observer); }
  Expected<std::vector<Ref<Device>>> partition(const Partition &partition) override;
  Expected<size_t> answer(uint32_t question, std::span<const std::byte> input, void *value, size_t size) const override;

private:
  void finishUnlisted();
  ForwardedDevice(Ref<RealDevice> device, Ref<RealQueue> queue, DeviceInfo info, Ref<Device> describer)
      : device_(std::move(device)), info_(std::move(info)), describer_(describer),
        builder_(device_, std::move(describer)),
        queue_(makeRef<ForwardedQueue>(std::move(queue), memory_, info_, queues_)) {}

  const Ref<RealDevice> device_;
  const DeviceInfo info_;
  const std::shared_ptr<MemoryTable> memory_ = std::make_shared<MemoryTable>();
  const std::shared_ptr<QueueList> queues_ = std::make_shared<QueueList>();
  const Ref<Device> describer_;
  const Builder builder_;
  const Ref<ForwardedQueue> queue_; ///< last: it ends before what its commands use
};

} // namespace us::forward
