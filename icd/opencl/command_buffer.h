// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_command_buffer_khr.
#pragma once

#include "icd/opencl/handle.h"
#include "icd/opencl/own_errors.h"
#include "icd/opencl/queue.h"
#include "runtime/core/command_buffer.h"

#include <vector>

namespace us::opencl {

class ClCommandBuffer : public ClObjectOf<ClCommandBuffer, cl_command_buffer_khr, HandleKind::CommandBuffer,
                                          own(OwnError::InvalidCommandBuffer)> {
public:
  static constexpr const char *kName = "command buffer";

  Ref<core::CommandBuffer> core;
  Ref<ClQueue> queue;                                       ///< the one it was created for
  std::vector<cl_command_buffer_properties_khr> properties; ///< as given, with the final 0; empty if none were given
};

/// The command buffer behind a handle; failures of the call in progress are told to its context's callback.
ExpectedRef<ClCommandBuffer> commandBufferFrom(cl_command_buffer_khr handle);

} // namespace us::opencl
