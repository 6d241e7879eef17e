// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_command_queue.
#pragma once

#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "runtime/core/on_device_queue.h"
#include "runtime/core/queue.h"

#include <vector>

namespace us::opencl {

struct CheckedQueue;

class ClQueue : public ClObjectOf<ClQueue, cl_command_queue, HandleKind::Queue, ErrorCode::InvalidCommandQueue> {
public:
  static constexpr const char *kName = "command-queue";
  ~ClQueue() override {
    if (onDevice) onDevice->apiObject = nullptr;
  }
  /// "clReleaseCommandQueue performs an implicit flush"
  void releasedByApplication() {
    if (core) core->releasedByApplication();
    if (CommandChecks *const checks = commandChecks()) checks->flushed(*this);
  }

  Device &coreDevice() const { return *device->device; }

  Ref<core::Queue> core;                 ///< null: on the device
  Ref<core::OnDeviceQueue> onDevice;     ///< null: on the host
  std::shared_ptr<CheckedQueue> checked; ///< CommandChecks'
  Ref<ClContext> context;
  Ref<ClDevice> device;
  std::vector<cl_queue_properties> properties; ///< as given to clCreateCommandQueueWithProperties, with the final 0
};

/// A queue on the host or on the device.
ExpectedRef<ClQueue> anyQueueFrom(cl_command_queue handle);
/// A queue on the device: InvalidCommandQueue for one on the host.
ExpectedRef<ClQueue> deviceQueueFrom(cl_command_queue handle);
/// The handle of a device's default queue in a context, or null.
cl_command_queue defaultDeviceQueue(const ClContext &context, const ClDevice &device);

/// The queue on the host behind a handle: InvalidCommandQueue for one on the device; failures of the call in progress
/// are told to its context's callback from here on.
ExpectedRef<ClQueue> queueFrom(cl_command_queue handle);

} // namespace us::opencl
