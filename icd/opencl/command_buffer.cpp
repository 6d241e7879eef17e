// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: making, finalising, submitting. The recording calls stand beside their enqueue calls.
#include "icd/opencl/command_buffer.h"

#include "icd/opencl/api.h"
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

namespace us::opencl {
namespace {

/// Reads the property list: true if it asks for simultaneous use.
Expected<bool> flagsFrom(const cl_command_buffer_properties_khr *properties,
                         std::vector<cl_command_buffer_properties_khr> &asGiven) {
  bool simultaneous = false, seen = false;
  for (const cl_command_buffer_properties_khr *next = properties; next && *next; next += 2) {
    // "CL_INVALID_VALUE if values specified in properties are not valid, or if the same property name is specified more
    // than once."
    if (*next != CL_COMMAND_BUFFER_FLAGS_KHR || seen)
      return fail(ErrorCode::InvalidValue,
                  icd::format("{:#x} is no property of a command buffer, or named twice", *next));
    if (next[1] & ~cl_command_buffer_properties_khr(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR))
      return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that are no flag", next[1]));
    simultaneous = next[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR;
    seen = true;
    asGiven.insert(asGiven.end(), next, next + 2);
  }
  if (properties) asGiven.push_back(0);
  return simultaneous;
}

bool hasCommandBuffers(const ClDevice &device) {
  for (const NamedVersion &extension : device.info().extensions)
    if (extension.name == CL_KHR_COMMAND_BUFFER_EXTENSION_NAME) return true;
  return false;
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
  if (!hasCommandBuffers(*queue.device))
    return fail(own(OwnError::IncompatibleCommandQueue), "the queue's device has no command buffers");
  std::vector<cl_command_buffer_properties_khr> asGiven;
  US_TRY(bool simultaneous, flagsFrom(properties, asGiven));
  US_TRY(Ref<ClCommandBuffer> buffer, makeObject<ClCommandBuffer>());
  buffer->core = core::CommandBuffer::create(*queue.core, simultaneous);
  buffer->queue = Ref<ClQueue>(&queue);
  buffer->properties = std::move(asGiven);
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
    // "CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if any element of queues is not compatible with the command-queue set on
    // command_buffer creation at the same list index": the same device and properties.
    if (other.device != queue->device || other.core->properties() != queue->core->properties())
      return fail(own(OwnError::IncompatibleCommandQueue), "the queue has another device, or other properties");
    queue = &other;
  }
  US_TRY(CommandBuilder && command,
         CommandBuilder::start(queue->handle(), CL_COMMAND_COMMAND_BUFFER_KHR, {count, list, event}));
  // "CL_INVALID_OPERATION if command_buffer has not been finalized." "... if command_buffer was not created with the
  // CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR flag and is in the Pending state."
  US_CHECK(buffer.core->prepare(command.request));
  Expected<void> enqueued = command.enqueue();
  if (!enqueued) buffer.core->takeBack();
  return enqueued;
}

} // namespace us::opencl
