// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/enqueue.h"

#include <algorithm>
#include <span>

namespace us::opencl {
namespace {

/// Which of a command buffer's queues a command is recorded for.
Expected<uint32_t> placeOf(cl_command_queue handle, const ClCommandBuffer &buffer) {
  if (!handle) {
    // "CL_INVALID_COMMAND_QUEUE if the cl_khr_command_buffer_multi_device extension is supported; and [...]
    // command_queue is NULL and command_buffer was created with more than one queue"
    if (buffer.queues.size() > 1)
      return fail(ErrorCode::InvalidCommandQueue,
                  icd::format("which of the command buffer's {} queues was not said", buffer.queues.size()));
    return 0;
  }
  // "CL_INVALID_COMMAND_QUEUE if the cl_khr_command_buffer_multi_device extension is not supported and command_queue is
  // not NULL."
  if (!hasExtension(*buffer.queues[0]->device, CL_KHR_COMMAND_BUFFER_MULTI_DEVICE_EXTENSION_NAME))
    return fail(ErrorCode::InvalidCommandQueue, "a queue was given, the command buffer has its own");
  US_TRY(ClQueue & queue, queueFrom(handle));
  // "CL_INVALID_CONTEXT if command_queue is not NULL, and the context associated with command_queue and command_buffer
  // is not the same."
  if (queue.context != buffer.context) return fail(ErrorCode::InvalidContext, "the queue is of another context");
  // "... or command_queue is not NULL and not a command-queue listed on command_buffer creation."
  const auto found = std::ranges::find(buffer.queues, &queue, &Ref<ClQueue>::get);
  if (found == buffer.queues.end())
    return fail(ErrorCode::InvalidCommandQueue, "the queue is none of those that the command buffer was created for");
  return static_cast<uint32_t>(found - buffer.queues.begin());
}

} // namespace

Expected<CommandBuilder> CommandBuilder::start(cl_command_queue handle, cl_command_type type,
                                               const EventParameters &events) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
  US_TRY(ClQueue & queue, queueFrom(handle));
  WaitList waitList;
  if (events.count || events.list) {
    US_TRY(waitList, waitListFrom(*queue.context, events.count, events.list));
  }
  Expected<CommandBuilder> made(std::in_place); // moved by nobody: it is large
  CommandBuilder &builder = *made;
  builder.queue_ = &queue;
  builder.event_ = events.event;
  builder.waitList_ = std::move(waitList);
  builder.request.apiTag = type;
  return made;
}

Expected<CommandBuilder> CommandBuilder::record(const RecordParameters &parameters) {
  US_TRY(CommandBuilder && builder, recordMutable(parameters));
  // "CL_INVALID_VALUE if values specified in properties are not valid": there are none of this command.
  if (parameters.properties && *parameters.properties)
    return fail(ErrorCode::InvalidValue,
                icd::format("there is no property {:#x} of this command", *parameters.properties));
  // "CL_INVALID_VALUE if mutable_handle is not NULL."
  if (parameters.mutableHandle) return fail(ErrorCode::InvalidValue, "only recorded kernels have handles");
  return std::move(builder);
}

Expected<CommandBuilder> CommandBuilder::recordMutable(const RecordParameters &parameters) {
  // "CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer."
  US_TRY(ClCommandBuffer & buffer, commandBufferFrom(parameters.buffer));
  US_TRY(const uint32_t place, placeOf(parameters.queue, buffer));
  // "CL_INVALID_OPERATION if command_buffer has been finalized."
  if (buffer.core->state() != core::CommandBufferState::Recording)
    return fail(ErrorCode::InvalidOperation, "the command buffer is finalised: nothing can be added");
  // "CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if sync_point_wait_list is NULL and num_sync_points_in_wait_list is > 0, or
  // sync_point_wait_list is not NULL and num_sync_points_in_wait_list is 0, or if synchronization-point objects in
  // sync_point_wait_list are not valid synchronization-points."
  if ((parameters.count > 0) != (parameters.list != nullptr))
    return fail(own(OwnError::InvalidSyncPointWaitList),
                icd::format("{} sync points at {}", parameters.count, static_cast<const void *>(parameters.list)));
  for (cl_sync_point_khr point : std::span(parameters.list, parameters.count))
    if (!buffer.core->has(point))
      return fail(own(OwnError::InvalidSyncPointWaitList),
                  icd::format("{} is no sync point of the command buffer", point));
  CommandBuilder builder(buffer, place, {parameters.list, parameters.list + parameters.count});
  builder.recording_->syncPoint = parameters.syncPoint;
  return builder;
}

CommandBuilder::CommandBuilder(ClCommandBuffer &buffer, uint32_t queue,
                               std::vector<core::CommandBuffer::SyncPoint> after)
    : queue_(buffer.queues[queue].get()), recording_(std::make_unique<Recording>(&buffer, queue, std::move(after))) {}

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
  if (recording_) recording_->objects.push_back(Ref<ClObject>(&memory));
  return memory;
}

Expected<void> CommandBuilder::enqueue() {
  if (recording_) {
    US_TRY(recordedAt,
           recording_->buffer->core->record({std::move(request.command), std::move(request.keep), isComplete},
                                            {recording_->queue, recording_->after, isBarrier}));
    if (recording_->syncPoint) *recording_->syncPoint = recordedAt;
    return {};
  }
  if (!event_) {
    prepare(false);
    return queue_->core->add(std::move(request));
  }
  US_CHECK(enqueueForEvent());
  return {};
}

Expected<void> CommandBuilder::recordBy(std::function<Expected<void>(CommandBuilder &)> make) {
  US_CHECK(make(*this));
  ClCommandBuffer &buffer = *recording_->buffer;
  std::lock_guard hold(buffer.mutex);
  if (buffer.calls.size() < recordedAt) buffer.calls.resize(recordedAt); // threads may record at once
  buffer.calls[recordedAt - 1] = {recording_->queue, isBarrier, std::move(recording_->after), std::move(make),
                                  std::move(recording_->objects)};
  return {};
}

Expected<Ref<core::Event>> CommandBuilder::enqueueForEvent() {
  prepare(false);
  if (!event_) return queue_->core->enqueue(std::move(request));
  // The handle is made first: a command that was enqueued cannot fail any more.
  US_TRY(Ref<ClEvent> event, makeObject<ClEvent>());
  event->context = queue_->context;
  event->queue = Ref<ClQueue>(queue_);
  US_TRY(Ref<core::Event> core, queue_->core->enqueue(std::move(request)));
  event->standFor(core);
  *event_ = giveToApplication(std::move(event));
  return core;
}

void CommandBuilder::prepare(bool isBlocking) {
  request.waitList = waitList_;
  if (CommandChecks *const checks = commandChecks()) watch(*checks, isBlocking);
}

Expected<void> CommandBuilder::run() {
  prepare(true);
  const Ref<core::CommandWatch> watched = request.watch;
  Expected<void> done = runAndWait();
  if (watched) commandChecks()->hostWaitedFor(*watched);
  return done;
}

Expected<void> CommandBuilder::runAndWait() {
  if (!event_) return queue_->core->run(std::move(request));
  US_TRY(Ref<ClEvent> event, makeObject<ClEvent>());
  event->context = queue_->context;
  event->queue = Ref<ClQueue>(queue_);
  // "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the read and write operations are blocking and the execution
  // status of any of the events in event_wait_list is a negative integer value."
  Ref<core::Event> core;
  US_CHECK(queue_->core->run(std::move(request), &core));
  event->standFor(std::move(core));
  *event_ = giveToApplication(std::move(event));
  return {};
}

} // namespace us::opencl
