// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_command_queue.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "runtime/core/queue.h"

#include <vector>

namespace us::opencl {

class ClQueue : public ClObjectOf<ClQueue, cl_command_queue, HandleKind::Queue, ErrorCode::InvalidCommandQueue> {
public:
  static constexpr const char *kName = "command-queue";
  /// "clReleaseCommandQueue performs an implicit flush"
  void releasedByApplication() { core->releasedByApplication(); }

  Device &coreDevice() const { return *device->device; }

  Ref<core::Queue> core;
  Ref<ClContext> context;
  Ref<ClDevice> device;
  std::vector<cl_queue_properties> properties; ///< as given to clCreateCommandQueueWithProperties, with the final 0
};

/// The queue behind a handle; failures of the call in progress are told to its context's callback from here on.
ExpectedRef<ClQueue> queueFrom(cl_command_queue handle);

} // namespace us::opencl
