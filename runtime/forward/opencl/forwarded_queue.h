// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands for a real device, turned into calls on one queue of its driver's.
#pragma once

#include "runtime/device/device.h"
#include "runtime/forward/opencl/completion.h"
#include "runtime/forward/opencl/forwarded_memory.h"

#include <memory>
#include <mutex>
#include <vector>

namespace us::forward {

class ForwardedQueue;

/// The queues of one device.
struct QueueList {
  std::mutex mutex; // guards queues
  std::vector<ForwardedQueue *> queues;
};

class ForwardedQueue final : public DeviceQueue {
public:
  /// `info` is the device's, which lives.
  ForwardedQueue(Ref<RealQueue> queue, std::shared_ptr<MemoryTable> memory, const DeviceInfo &info,
                 std::shared_ptr<QueueList> list);
  ~ForwardedQueue() override;

  void submit(const Command &command, CommandObserver &observer) override;
  void flush() override { completion_.flush(); }
  bool poll() override { return completion_.poll(); }
  void finish() override { completion_.finish(); }
  Expected<bool> pass(const LaunchCommand &launch, CommandOwner &owner, KeptObjects &keep) override;
  Expected<bool> passAgain(DeviceKernel &kernel, uint64_t argumentsNumber, const LaunchShape &shape,
                           std::span<const PassedCommand> after, PassedCommand *passed) override;
  bool takeArguments(const LaunchCommand &launch) override;
  bool changeArguments(DeviceKernel &kernel, uint64_t from, uint64_t to,
                       std::span<const ArgumentChange> changes) override;
  void releasePassed(PassedCommand command) override;
  bool awaitPassed(std::span<const PassedCommand> commands) override;
  void adopt(PassedCommand command, CommandObserver &observer) override;
  bool finishPassedAgain(CommandOwner &owner) override { return completion_.finishUnkept(owner); }
  Expected<bool> runToEnd(const Command &command) override;
  Expected<bool> transfer(DeviceMemory &memory, uint64_t offset, std::byte *host, uint64_t size, bool reads,
                          std::span<const PassedCommand> after) override;
  /// Waits for what was run to its end, and may go on behind it.
  void finishUnlisted() { completion_.finishUnlisted(); }
  bool hasUnlisted() const { return completion_.hasUnlisted(); }
  void await(CommandObserver &observer) override { completion_.await(observer); }
  void watch(CommandObserver &observer) override { completion_.watch(observer); }
  void follow(DeviceQueue &other, const CommandObserver &observer) override {
    completion_.follow(static_cast<ForwardedQueue &>(other).completion_, observer);
  }

private:
  class CommandPieces;

  const Ref<RealQueue> on_;
  const std::shared_ptr<MemoryTable> memory_;
  const DeviceInfo &info_;
  const std::shared_ptr<QueueList> list_;
  Completion completion_; ///< last: it ends before what its commands use
};

/// What the driver would say of the launch, in a sentence with numbers.
Expected<void> checkLaunch(const LaunchCommand &launch, const DeviceInfo &device);

} // namespace us::forward
