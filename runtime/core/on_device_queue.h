// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OnDeviceQueue: a queue of a device into which only its kernels enqueue; and which of a context's is a device's
// default.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/core/context.h"
#include "runtime/core/weak.h"
#include "runtime/device/device.h"

#include <atomic>
#include <memory>

namespace us::core {

class OnDeviceQueue final : public Object {
public:
  /// OutOfResources if the context has as many queues on the device as there can be; errors of Device::createQueue.
  static Expected<Ref<OnDeviceQueue>> create(Context &context, Device &device, uint32_t size, bool profiling);

  Context &context() const { return *context_; }
  Device &device() const { return *device_; }
  uint32_t size() const { return queue_->size(); }
  bool profiling() const { return profiling_; }
  /// What a launch's argument block holds for it.
  uint64_t argument() const { return queue_->argument(); }

  /// The default of its context and device from now on, in the place of another.
  void makeDefault();
  /// Null if there is none, or it was released.
  static Ref<OnDeviceQueue> defaultOf(const Context &context, const Device &device);

  /// The object of the API that this queue belongs to; null when that is gone.
  std::atomic<void *> apiObject{nullptr};

  const Ref<WeakLink<OnDeviceQueue>> &weak() const { return weak_; }

private:
  OnDeviceQueue(Context &context, Device &device, std::unique_ptr<DeviceQueue> queue, bool profiling);
  ~OnDeviceQueue() override;
  void lastReferenceGone() override;

  const Ref<Context> context_;
  const Ref<Device> device_;
  const std::unique_ptr<DeviceQueue> queue_;
  const bool profiling_;
  const Ref<WeakLink<OnDeviceQueue>> weak_;
};

} // namespace us::core
