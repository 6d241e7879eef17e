// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: making, finalising, submitting. The recording calls stand beside their enqueue calls.
#include "icd/opencl/command_buffer.h"

#include "icd/opencl/api.h"
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>

namespace us::opencl {
namespace {

/// A property of a command buffer: where its value goes, and the bits that it may have.
struct PropertyRow {
  cl_command_buffer_properties_khr name;
  cl_bitfield ClCommandBuffer::*value;
  cl_bitfield bits;
};
constexpr PropertyRow kProperties[] = {
    {CL_COMMAND_BUFFER_FLAGS_KHR, &ClCommandBuffer::flags,
     CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR},
    {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, &ClCommandBuffer::asserts,
     CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR},
};

Expected<void> readProperties(const cl_command_buffer_properties_khr *properties, ClCommandBuffer &into) {
  for (const cl_command_buffer_properties_khr *next = properties; next && *next; next += 2) {
    // "CL_INVALID_VALUE if values specified in properties are not valid, or if the same property name is specified more
    // than once."
    const auto *const row = std::ranges::find(kProperties, *next, &PropertyRow::name);
    if (row == std::end(kProperties))
      return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no property of a command buffer", *next));
    for (const cl_command_buffer_properties_khr *before = properties; before != next; before += 2)
      if (*before == *next) return fail(ErrorCode::InvalidValue, icd::format("property {:#x} is named twice", *next));
    if (next[1] & ~row->bits)
      return fail(ErrorCode::InvalidValue,
                  icd::format("{:#x} holds bits that property {:#x} does not have", next[1], *next));
    into.*row->value = next[1];
    into.properties.insert(into.properties.end(), next, next + 2);
  }
  if (properties) into.properties.push_back(0);
  return {};
}

} // namespace

ExpectedRef<ClCommandBuffer> commandBufferFrom(cl_command_buffer_khr handle) {
  auto buffer = fromHandle<ClCommandBuffer>(handle);
  if (buffer) noteContext(*buffer->get().queue->context);
  return buffer;
}

// clCreateCommandBufferKHR
Expected<cl_command_buffer_khr> createCommandBufferKHR(cl_uint count, const cl_command_queue *queues,
                                                       const cl_command_buffer_properties_khr *properties) {
  // "CL_INVALID_VALUE if queues is NULL, or if num_queues is not one."
  if (!queues || count != 1)
    return fail(ErrorCode::InvalidValue,
                icd::format("a command buffer for {} queues at {}", count, static_cast<const void *>(queues)));
  // "CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue."
  US_TRY(ClQueue & queue, queueFrom(queues[0]));
  if (!hasExtension(*queue.device, CL_KHR_COMMAND_BUFFER_EXTENSION_NAME))
    return fail(own(OwnError::IncompatibleCommandQueue), "the queue's device has no command buffers");
  US_TRY(Ref<ClCommandBuffer> buffer, makeObject<ClCommandBuffer>());
  buffer->core = core::CommandBuffer::create(*queue.core);
  buffer->queue = Ref<ClQueue>(&queue);
  US_CHECK(readProperties(properties, *buffer));
  // "CL_INVALID_PROPERTY if values specified in properties are valid but are not supported by all the devices
  // associated with command-queues in queues."
  if ((buffer->flags || buffer->asserts) &&
      !hasExtension(*queue.device, CL_KHR_COMMAND_BUFFER_MUTABLE_DISPATCH_EXTENSION_NAME))
    return fail(ErrorCode::InvalidProperty, "the queue's device has no mutable dispatch");
  return giveToApplication(std::move(buffer));
}

// clFinalizeCommandBufferKHR
Expected<void> finalizeCommandBufferKHR(cl_command_buffer_khr handle) {
  // "CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer." "CL_INVALID_OPERATION if
  // command_buffer is not in the Recording state."
  US_TRY(ClCommandBuffer & buffer, commandBufferFrom(handle));
  return buffer.core->finalize();
}

// clRetainCommandBufferKHR
Expected<void> retainCommandBufferKHR(cl_command_buffer_khr handle) { return retainHandle<ClCommandBuffer>(handle); }

// clReleaseCommandBufferKHR
Expected<void> releaseCommandBufferKHR(cl_command_buffer_khr handle) { return releaseHandle<ClCommandBuffer>(handle); }

// clEnqueueCommandBufferKHR
Expected<void> enqueueCommandBufferKHR(cl_uint queueCount, cl_command_queue *queues, cl_command_buffer_khr handle,
                                       cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(ClCommandBuffer & buffer, commandBufferFrom(handle));
  // "CL_INVALID_VALUE if queues is NULL and num_queues is > 0, or queues is not NULL and num_queues is 0."
  // "CL_INVALID_VALUE if num_queues is > 0 and not the same value as num_queues set on command_buffer creation."
  if ((queueCount > 0) != (queues != nullptr) || queueCount > 1)
    return fail(ErrorCode::InvalidValue, icd::format("{} queues at {}", queueCount, static_cast<const void *>(queues)));
  // "CL_INVALID_COMMAND_QUEUE if any element of queues is not a valid command-queue."
  ClQueue *queue = buffer.queue.get();
  if (queues) {
    US_TRY(ClQueue & other, queueFrom(queues[0]));
    // "CL_INVALID_CONTEXT if any element of queues does not have the same context as the command-queue set on
    // command_buffer creation at the same list index."
    if (other.context != queue->context) return fail(ErrorCode::InvalidContext, "the queue is of another context");
    // "CL_INVALID_DEVICE if any element of queues does not have the same device as the command-queue set on
    // command_buffer creation at the same list index."
    if (other.device != queue->device) return fail(ErrorCode::InvalidDevice, "the queue is of another device");
    // Any properties will do: commands run in the order of recording on every queue.
    queue = &other;
  }
  US_TRY(CommandBuilder && command,
         CommandBuilder::start(queue->handle(), CL_COMMAND_COMMAND_BUFFER_KHR, {count, list, event}));
  // "CL_INVALID_OPERATION if command_buffer is not in the Executable state."
  US_CHECK(buffer.core->prepare(command.request));
  return command.enqueue();
}

} // namespace us::opencl
