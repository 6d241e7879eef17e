// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry point that makes pipes.
#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/memory.h"

#include <algorithm>

namespace us::opencl {

// clCreatePipe
Expected<cl_mem> createPipe(cl_context handle, cl_mem_flags flags, cl_uint packetSize, cl_uint maxPackets,
                            const cl_pipe_properties *properties) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_OPERATION if no devices in context support pipes."
  if (std::ranges::none_of(context.core->devices(),
                           [](const Ref<Device> &device) { return device->info().maxPipeArguments != 0; }))
    return fail(ErrorCode::InvalidOperation, "the context has no device with pipes");
  // "CL_INVALID_VALUE if values specified in flags are not as defined above." ("Only CL_MEM_READ_WRITE and
  // CL_MEM_HOST_NO_ACCESS can be specified when creating a pipe object.")
  constexpr cl_mem_flags kPossible = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  if (flags & ~kPossible) return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds flags no pipe has", flags));
  // "CL_INVALID_VALUE if properties is not NULL."
  if (properties) return fail(ErrorCode::InvalidValue, "pipes have no properties: the list must be NULL");
  // "CL_INVALID_PIPE_SIZE if pipe_packet_size is 0 or the pipe_packet_size exceeds CL_DEVICE_PIPE_MAX_PACKET_SIZE value
  // ... for all devices in context or if pipe_max_packets is 0.": the core knows.
  US_TRY(Ref<ClMem> memory, makeObject<ClMem>());
  US_TRY(memory->pipe, core::Pipe::create(*context.core, {packetSize, maxPackets}));
  memory->buffer = Ref<core::Buffer>(&memory->pipe->memory());
  memory->context = Ref<ClContext>(&context);
  // "If the value specified for flags is 0, the default is used which is CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS."
  memory->flags = flags ? flags : kPossible;
  memory->type = CL_MEM_OBJECT_PIPE;
  return giveToApplication(std::move(memory));
}

} // namespace us::opencl
