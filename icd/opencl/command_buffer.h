// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_command_buffer_khr and cl_mutable_command_khr.
#pragma once

#include "icd/opencl/handle.h"
#include "icd/opencl/launch.h"
#include "icd/opencl/newer_cl.h"
#include "icd/opencl/own_errors.h"
#include "icd/opencl/queue.h"
#include "runtime/core/command_buffer.h"

#include <memory>
#include <mutex>
#include <vector>

namespace us::opencl {

class ClMutableCommand;

/// What of a recorded launch can be updated: everything.
inline constexpr cl_mutable_dispatch_fields_khr kMutableDispatchFields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

class ClCommandBuffer : public ClObjectOf<ClCommandBuffer, cl_command_buffer_khr, HandleKind::CommandBuffer,
                                          own(OwnError::InvalidCommandBuffer)> {
public:
  static constexpr const char *kName = "command buffer";

  Ref<core::CommandBuffer> core;
  Ref<ClQueue> queue;                                       ///< the one it was created for
  std::vector<cl_command_buffer_properties_khr> properties; ///< as given, with the final 0; empty if none were given
  cl_command_buffer_flags_khr flags = 0;
  cl_mutable_dispatch_asserts_khr asserts = 0;

  std::mutex mutex; // guards the handles and what they are updated to
  /// "The lifetime of this handle is tied to the parent command-buffer"
  std::vector<Ref<ClMutableCommand>> handles;
};

/// A recorded launch that the application has a handle of.
class ClMutableCommand : public ClObjectOf<ClMutableCommand, cl_mutable_command_khr, HandleKind::MutableCommand,
                                           own(OwnError::InvalidMutableCommand)> {
public:
  static constexpr const char *kName = "recorded command";

  /// What an update changes.
  struct Launch {
    Ref<ClKernel> kernel; ///< a copy of the kernel, which has the arguments of this command
    LaunchRange range;
    Size3 local{0, 0, 0}; ///< zeros: left to the device
    bool hasLocal = false;
  };

  ClCommandBuffer *buffer = nullptr; ///< which holds this
  core::CommandBuffer::SyncPoint point = 0;
  Ref<ClKernel> kernel;                              ///< as given
  std::vector<cl_command_properties_khr> properties; ///< as given, with the final 0; empty if none were given
  cl_mutable_dispatch_fields_khr fields = 0;         ///< what an update may change
  std::unique_ptr<Launch> launch;
};

/// The command buffer behind a handle; failures of the call in progress are told to its context's callback.
ExpectedRef<ClCommandBuffer> commandBufferFrom(cl_command_buffer_khr handle);

} // namespace us::opencl
