// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/enqueue.h"

namespace us::opencl {

Expected<CommandBuilder> CommandBuilder::start(cl_command_queue handle, cl_command_type type,
                                               const EventParameters &events) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
  US_TRY(ClQueue & queue, queueFrom(handle));
  CommandBuilder builder;
  builder.queue_ = &queue;
  builder.event_ = events.event;
  if (events.count || events.list) {
    US_TRY(builder.waitList_, waitListFrom(*queue.context, events.count, events.list));
  }
  builder.request.apiTag = type;
  return builder;
}

ExpectedRef<ClMem> CommandBuilder::memory(cl_mem handle) {
  // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object"
  return use(fromHandle<ClMem>(handle));
}

ExpectedRef<ClMem> CommandBuilder::buffer(cl_mem handle) {
  // "CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object."
  return use(bufferFrom(handle));
}

ExpectedRef<ClMem> CommandBuilder::image(cl_mem handle) {
  // "CL_INVALID_OPERATION if the device associated with command_queue does not support images"
  if (!device().info().images) return fail(ErrorCode::InvalidOperation, device().info().name + " has no images");
  // "CL_INVALID_MEM_OBJECT if image is not a valid image object"
  US_TRY(ClMem & image, use(imageFrom(handle)));
  // "CL_INVALID_IMAGE_SIZE if the dimensions for image ... are not supported by the device associated with
  // command_queue"; "CL_IMAGE_FORMAT_NOT_SUPPORTED if the format for image ..."
  US_CHECK(core::checkImage(device().info(), image.image->description()));
  return image;
}

ExpectedRef<ClMem> CommandBuilder::use(ExpectedRef<ClMem> found) {
  US_TRY(ClMem & memory, std::move(found));
  // "CL_INVALID_CONTEXT if the context associated with command_queue and buffer are not the same"
  if (memory.context != queue_->context)
    return fail(ErrorCode::InvalidContext, "the memory object is of another context");
  // "CL_MISALIGNED_SUB_BUFFER_OFFSET if buffer is a sub-buffer object and offset specified when the sub-buffer object
  // is created is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN value for device associated with queue."
  if (memory.parent && !memory.buffer->isAlignedFor(device()))
    return fail(ErrorCode::MisalignedSubBufferOffset,
                icd::format("the memory object begins at {} of its buffer", memory.buffer->origin()));
  request.keep.push_back(memory.buffer);
  return memory;
}

Expected<void> CommandBuilder::enqueue() {
  request.waitList = waitList_;
  if (!event_) {
    US_CHECK(queue_->core->enqueue(std::move(request)));
    return {};
  }
  // The handle is made first: a command that was enqueued cannot fail any more.
  US_TRY(Ref<ClEvent> event, makeObject<ClEvent>());
  event->context = queue_->context;
  event->queue = Ref<ClQueue>(queue_);
  US_TRY(event->core, queue_->core->enqueue(std::move(request)));
  *event_ = giveToApplication(std::move(event));
  return {};
}

Expected<void> CommandBuilder::run() {
  request.waitList = waitList_;
  if (!event_) return queue_->core->run(std::move(request));
  US_TRY(Ref<ClEvent> event, makeObject<ClEvent>());
  event->context = queue_->context;
  event->queue = Ref<ClQueue>(queue_);
  // "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the read and write operations are blocking and the execution
  // status of any of the events in event_wait_list is a negative integer value."
  US_CHECK(queue_->core->run(std::move(request), &event->core));
  *event_ = giveToApplication(std::move(event));
  return {};
}

} // namespace us::opencl
