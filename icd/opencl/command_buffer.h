// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_command_buffer_khr and cl_mutable_command_khr.
#pragma once

#include "icd/opencl/handle.h"
#include "icd/opencl/launch.h"
#include "icd/opencl/newer_cl.h"
#include "icd/opencl/own_errors.h"
#include "icd/opencl/queue.h"
#include "runtime/core/command_buffer.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace us::opencl {

class ClMutableCommand;
class CommandBuilder;

/// What of a recorded launch can be updated: everything.
inline constexpr cl_mutable_dispatch_fields_khr kMutableDispatchFields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

class ClCommandBuffer : public ClObjectOf<ClCommandBuffer, cl_command_buffer_khr, HandleKind::CommandBuffer,
                                          own(OwnError::InvalidCommandBuffer)> {
public:
  static constexpr const char *kName = "command buffer";

  /// How a command was recorded, to record it again on another queue.
  struct Call {
    uint32_t queue = 0; ///< which of the buffer's
    bool isBarrier = false;
    std::vector<core::CommandBuffer::SyncPoint> after;
    std::function<Expected<void>(CommandBuilder &)> make; ///< checks and records
    std::vector<Ref<ClObject>> objects;                   ///< whose handles `make` uses
  };

  Ref<core::CommandBuffer> core;
  Ref<ClContext> context;
  std::vector<Ref<ClQueue>> queues; ///< those it was created for
  /// Of several queues: one of nobody's, where the ends of the others' parts are waited for.
  Ref<ClQueue> joins;
  std::vector<cl_command_buffer_properties_khr> properties; ///< as given, with the final 0; empty if none were given
  cl_command_buffer_flags_khr flags = 0;
  cl_mutable_dispatch_asserts_khr asserts = 0;

  std::mutex mutex;        // guards the calls, the handles and what they are updated to
  std::vector<Call> calls; ///< by sync point, from 1
  /// "The lifetime of this handle is tied to the parent command-buffer"
  std::vector<Ref<ClMutableCommand>> handles;
};

/// A recorded launch that the application has a handle of.
class ClMutableCommand : public ClObjectOf<ClMutableCommand, cl_mutable_command_khr, HandleKind::MutableCommand,
                                           own(OwnError::InvalidMutableCommand)> {
public:
  static constexpr const char *kName = "recorded command";

  /// What an update changes: by another one in its place.
  struct Launch {
    Ref<ClKernel> kernel; ///< a copy of the kernel, which has the arguments of this command
    LaunchRange range;
    Size3 local{0, 0, 0}; ///< zeros: left to the device
    bool hasLocal = false;
  };

  ClCommandBuffer *buffer = nullptr; ///< which holds this
  core::CommandBuffer::SyncPoint point = 0;
  Ref<ClQueue> queue;
  Ref<ClKernel> kernel;                              ///< as given
  std::vector<cl_command_properties_khr> properties; ///< as given, with the final 0; empty if none were given
  cl_mutable_dispatch_fields_khr fields = 0;         ///< what an update may change
  std::shared_ptr<const Launch> launch;
};

/// The devices whose commands wait for those of `device` without the host's help: on emulated devices all is done by
/// the same threads.
std::vector<cl_device_id> syncDevicesOf(const ClDevice &device);

/// The command buffer behind a handle; failures of the call in progress are told to its context's callback.
ExpectedRef<ClCommandBuffer> commandBufferFrom(cl_command_buffer_khr handle);

} // namespace us::opencl
