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

namespace us::core {

class OnDeviceQueue final : public Object {
public:
  /// With room for `size` bytes of what kernels enqueue. OutOfResources if the context has as many queues on the device
  /// as there can be, Unsupported on a device without.
  static Expected<Ref<OnDeviceQueue>> create(Context &context, Device &device, uint32_t size, bool profiling);

  Context &context() const { return *context_; }
  Device &device() const { return *device_; }
  uint32_t size() const { return size_; }
  bool profiling() const { return profiling_; }
  /// What a launch's argument block holds for it.
  uint64_t argument() const { return reinterpret_cast<uint64_t>(this); }
  /// The queue that has this argument; null if there is none: kernels may take any bits for one.
  static Ref<OnDeviceQueue> at(uint64_t argument);

  /// The default of its context and device from now on, in the place of another.
  void makeDefault();
  /// Null if there is none, or it was released.
  static Ref<OnDeviceQueue> defaultOf(const Context &context, const Device &device);

  /// Bytes taken by what was enqueued and is not complete; guarded by deviceSideMutex (device_events.h).
  uint64_t used = 0;

  /// The object of the API that this queue belongs to; null when that is gone.
  std::atomic<void *> apiObject{nullptr};

  const Ref<WeakLink<OnDeviceQueue>> &weak() const { return weak_; }

private:
  OnDeviceQueue(Context &context, Device &device, uint32_t size, bool profiling);
  ~OnDeviceQueue() override;
  void lastReferenceGone() override;

  const Ref<Context> context_;
  const Ref<Device> device_;
  const uint32_t size_;
  const bool profiling_;
  const Ref<WeakLink<OnDeviceQueue>> weak_;
};

} // namespace us::core
