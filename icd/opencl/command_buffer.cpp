// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: making, finalising, submitting. The recording calls stand beside their enqueue calls.
#include "icd/opencl/command_buffer.h"

#include "icd/opencl/api.h"
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/platform.h"

#include <algorithm>
#include <span>

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
     CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR},
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

/// (num_queues, queues) of a new command buffer.
Expected<std::vector<Ref<ClQueue>>> queuesFrom(cl_uint count, const cl_command_queue *list) {
  std::vector<Ref<ClQueue>> queues;
  for (const cl_command_queue handle : std::span(list, count)) {
    // "CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue."
    US_TRY(ClQueue & queue, queueFrom(handle));
    queues.push_back(Ref<ClQueue>(&queue));
  }
  for (const Ref<ClQueue> &queue : queues) {
    // "CL_INVALID_CONTEXT if all the command-queues in queues do not have the same OpenCL context."
    if (queue->context != queues[0]->context)
      return fail(ErrorCode::InvalidContext, "the queues are of several contexts");
    if (!hasExtension(*queue->device, CL_KHR_COMMAND_BUFFER_EXTENSION_NAME))
      return fail(own(OwnError::IncompatibleCommandQueue), "the queue's device has no command buffers");
    // "CL_INVALID_VALUE if [...] the cl_khr_command_buffer_multi_device extension is not supported and num_queues is
    // not one."
    if (count > 1 && !hasExtension(*queue->device, CL_KHR_COMMAND_BUFFER_MULTI_DEVICE_EXTENSION_NAME))
      return fail(ErrorCode::InvalidValue, queue->device->info().name + " has no command buffers of several queues");
  }
  return queues;
}

const ClDevice &rootOf(const ClDevice &device) { return device.parent ? rootOf(*device.parent) : device; }

/// "CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if the CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR flag is set, and any device
/// associated with a command-queue in queues cannot natively synchronize with the other devices associated with queues
/// as reported by CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR."
Expected<void> checkDeviceSync(const std::vector<Ref<ClQueue>> &queues) {
  for (const Ref<ClQueue> &queue : queues) {
    const std::vector<cl_device_id> reached = syncDevicesOf(*queue->device);
    for (const Ref<ClQueue> &other : queues)
      if (other != queue && std::ranges::find(reached, rootOf(*other->device).handle()) == reached.end())
        return fail(own(OwnError::IncompatibleCommandQueue),
                    queue->device->info().name + " waits for other queues with the host's help");
  }
  return {};
}

/// A queue of nobody's: its commands wait for what their wait lists name, and for nothing else.
Expected<Ref<ClQueue>> makeJoiningQueue(const ClQueue &like) {
  US_TRY(Ref<ClQueue> queue, makeObject<ClQueue>());
  queue->core = core::Queue::create(*like.context->core, like.coreDevice(), {.outOfOrder = true, .profiling = true});
  queue->context = like.context;
  queue->device = like.device;
  return queue;
}

Expected<Ref<ClCommandBuffer>> makeCommandBuffer(std::vector<Ref<ClQueue>> queues,
                                                 const cl_command_buffer_properties_khr *properties) {
  US_TRY(Ref<ClCommandBuffer> buffer, makeObject<ClCommandBuffer>());
  buffer->core = core::CommandBuffer::create(static_cast<uint32_t>(queues.size()));
  buffer->context = queues[0]->context;
  buffer->queues = std::move(queues);
  US_CHECK(readProperties(properties, *buffer));
  // "CL_INVALID_PROPERTY if values specified in properties are valid but are not supported by all the devices
  // associated with command-queues in queues."
  const bool wantsSync = buffer->flags & CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;
  const bool wantsChanges = buffer->asserts || (buffer->flags & ~cl_bitfield(CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR));
  for (const Ref<ClQueue> &queue : buffer->queues) {
    if (wantsChanges && !hasExtension(*queue->device, CL_KHR_COMMAND_BUFFER_MUTABLE_DISPATCH_EXTENSION_NAME))
      return fail(ErrorCode::InvalidProperty, "the queue's device has no mutable dispatch");
    if (wantsSync && !hasExtension(*queue->device, CL_KHR_COMMAND_BUFFER_MULTI_DEVICE_EXTENSION_NAME))
      return fail(ErrorCode::InvalidProperty, "the queue's device has no command buffers of several queues");
  }
  if (wantsSync) US_CHECK(checkDeviceSync(buffer->queues));
  if (buffer->queues.size() > 1) {
    US_TRY(buffer->joins, makeJoiningQueue(*buffer->queues[0]));
  }
  return buffer;
}

/// A submission to several queues: each part is a command of its queue, and the application's event ends when all have.
Expected<void> enqueueParts(ClCommandBuffer &buffer, const std::vector<Ref<ClQueue>> &queues,
                            const EventParameters &events) {
  US_TRY(const WaitList waitList, waitListFrom(*buffer.context, events.count, events.list));
  US_TRY(std::vector<core::CommandBuffer::Part> parts, buffer.core->prepare());
  // The handle is made first: what was enqueued cannot fail any more.
  Ref<ClEvent> event;
  if (events.event) {
    US_TRY(event, makeObject<ClEvent>());
  }
  auto made = std::make_shared<ClEvent::Parts>();
  made->queues = queues;
  for (core::CommandBuffer::Part &part : parts) {
    US_TRY(CommandBuilder && command, CommandBuilder::start(queues[part.queue]->handle(), CL_COMMAND_COMMAND_BUFFER_KHR,
                                                            {events.count, events.list, nullptr}));
    for (const uint32_t earlier : part.after) command.waitFor(made->events[earlier]);
    command.request.command = std::move(part.command);
    command.request.keep = std::move(part.keep);
    US_TRY(Ref<core::Event> ended, command.enqueueForEvent());
    made->events.push_back(std::move(ended));
  }
  if (!event) return {};
  US_TRY(CommandBuilder && join, CommandBuilder::start(buffer.joins->handle(), CL_COMMAND_COMMAND_BUFFER_KHR,
                                                       {events.count, events.list, nullptr}));
  for (const Ref<core::Event> &ended : made->events) join.waitFor(ended);
  US_TRY(Ref<core::Event> all, join.enqueueForEvent());
  event->context = buffer.context;
  event->parts = std::move(made);
  event->standFor(std::move(all));
  *events.event = giveToApplication(std::move(event));
  return {};
}

/// For each of a command buffer's queues, which of `queues` gets its commands. With CL_TRUE "the OpenCL runtime will
/// decide in a way it determines optimal which of the elements in queues each command in the returned command-buffer
/// will be associated with": one of the same device, for which everything is made already; else commands of different
/// queues stay apart, as far as there are queues.
std::vector<uint32_t> placesOf(const ClCommandBuffer &buffer, const std::vector<Ref<ClQueue>> &queues, bool automatic) {
  std::vector<uint32_t> places;
  for (uint32_t i = 0; i < buffer.queues.size(); ++i) {
    uint32_t place = i % static_cast<uint32_t>(queues.size());
    if (automatic && queues[place]->device != buffer.queues[i]->device)
      for (uint32_t k = 0; k < queues.size(); ++k)
        if (queues[k]->device == buffer.queues[i]->device) place = k;
    places.push_back(place);
  }
  return places;
}

} // namespace

std::vector<cl_device_id> syncDevicesOf(const ClDevice &device) {
  std::vector<cl_device_id> handles;
  const auto platform = thePlatform();
  if (!device.info().sharesHostMemory || !platform) return handles;
  for (const Ref<ClDevice> &other : platform->get().devices)
    if (other->info().sharesHostMemory && hasExtension(*other, CL_KHR_COMMAND_BUFFER_MULTI_DEVICE_EXTENSION_NAME))
      handles.push_back(other->handle());
  return handles;
}

ExpectedRef<ClCommandBuffer> commandBufferFrom(cl_command_buffer_khr handle) {
  auto buffer = fromHandle<ClCommandBuffer>(handle);
  if (buffer) noteContext(*buffer->get().context);
  return buffer;
}

// clCreateCommandBufferKHR
Expected<cl_command_buffer_khr> createCommandBufferKHR(cl_uint count, const cl_command_queue *queues,
                                                       const cl_command_buffer_properties_khr *properties) {
  // "CL_INVALID_VALUE if the cl_khr_command_buffer_multi_device extension is supported and num_queues is zero";
  // "CL_INVALID_VALUE if queues is NULL."
  if (!queues || count == 0)
    return fail(ErrorCode::InvalidValue,
                icd::format("a command buffer for {} queues at {}", count, static_cast<const void *>(queues)));
  US_TRY(std::vector<Ref<ClQueue>> list, queuesFrom(count, queues));
  US_TRY(Ref<ClCommandBuffer> buffer, makeCommandBuffer(std::move(list), properties));
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
  if ((queueCount > 0) != (queues != nullptr) || (queueCount > 0 && queueCount != buffer.queues.size()))
    return fail(ErrorCode::InvalidValue, icd::format("{} queues at {}", queueCount, static_cast<const void *>(queues)));
  std::vector<Ref<ClQueue>> targets = buffer.queues;
  for (cl_uint i = 0; i < queueCount; ++i) {
    // "CL_INVALID_COMMAND_QUEUE if any element of queues is not a valid command-queue."
    US_TRY(ClQueue & other, queueFrom(queues[i]));
    // "CL_INVALID_CONTEXT if any element of queues does not have the same context as the command-queue set on
    // command_buffer creation at the same list index."
    if (other.context != buffer.context) return fail(ErrorCode::InvalidContext, "the queue is of another context");
    // "CL_INVALID_DEVICE if any element of queues does not have the same device as the command-queue set on
    // command_buffer creation at the same list index."
    if (other.device != targets[i]->device) return fail(ErrorCode::InvalidDevice, "the queue is of another device");
    // Any properties will do: commands run in the order of recording on every queue.
    targets[i] = Ref<ClQueue>(&other);
  }
  // "CL_INVALID_OPERATION if command_buffer is not in the Executable state": the core says so.
  if (targets.size() > 1) return enqueueParts(buffer, targets, {count, list, event});
  US_TRY(CommandBuilder && command,
         CommandBuilder::start(targets[0]->handle(), CL_COMMAND_COMMAND_BUFFER_KHR, {count, list, event}));
  US_TRY(std::vector<core::CommandBuffer::Part> parts, buffer.core->prepare());
  command.request.command = std::move(parts[0].command);
  command.request.keep = std::move(parts[0].keep);
  return command.enqueue();
}

// clRemapCommandBufferKHR
Expected<cl_command_buffer_khr> remapCommandBufferKHR(cl_command_buffer_khr handle, cl_bool automatic,
                                                      cl_uint queueCount, const cl_command_queue *queueList,
                                                      cl_uint handleCount, const cl_mutable_command_khr *handles,
                                                      cl_mutable_command_khr *handlesReturned) {
  // "CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer."
  US_TRY(ClCommandBuffer & buffer, commandBufferFrom(handle));
  // "CL_INVALID_VALUE if num_queues is 0, or if queues is NULL." "CL_INVALID_VALUE if automatic is CL_FALSE and
  // num_queues is not equal to the number of queues used on creation of command_buffer."
  if (queueCount == 0 || !queueList || (!automatic && queueCount != buffer.queues.size()))
    return fail(ErrorCode::InvalidValue, icd::format("{} queues at {} for a command buffer of {}", queueCount,
                                                     static_cast<const void *>(queueList), buffer.queues.size()));
  // "CL_INVALID_VALUE if handles or handles_ret is NULL and num_handles is > 0, or either handles or handles_ret is not
  // NULL and num_handles is 0."
  if ((handleCount > 0) != (handles != nullptr) || (handleCount > 0) != (handlesReturned != nullptr))
    return fail(ErrorCode::InvalidValue,
                icd::format("{} handles at {}, and room for them at {}", handleCount,
                            static_cast<const void *>(handles), static_cast<const void *>(handlesReturned)));
  US_TRY(std::vector<Ref<ClQueue>> queues, queuesFrom(queueCount, queueList));
  // "CL_INVALID_CONTEXT if command_buffer and all the command-queues in queues do not have the same OpenCL context."
  if (queues[0]->context != buffer.context)
    return fail(ErrorCode::InvalidContext, "the queues are of another context than the command buffer");

  // A command of the copy is recorded as that of the original was, with what an update has changed since.
  std::vector<ClCommandBuffer::Call> calls;
  std::vector<Ref<ClMutableCommand>> copies;
  const std::vector<uint32_t> places = placesOf(buffer, queues, automatic);
  US_TRY(Ref<ClCommandBuffer> copy,
         makeCommandBuffer(std::move(queues), buffer.properties.empty() ? nullptr : buffer.properties.data()));
  core::CommandBufferState state;
  {
    std::lock_guard hold(buffer.mutex);
    state = buffer.core->state();
    calls = buffer.calls;
    for (const cl_mutable_command_khr one : std::span(handles, handleCount)) {
      // "CL_INVALID_VALUE if any handle in handles is not a valid command handle belonging to command_buffer."
      const ClMutableCommand *const command = objectBehind<ClMutableCommand>(one);
      if (!command || command->buffer != &buffer)
        return fail(ErrorCode::InvalidValue,
                    icd::format("{} is no handle of a command of the command buffer", static_cast<const void *>(one)));
      US_TRY(Ref<ClMutableCommand> made, makeObject<ClMutableCommand>());
      made->buffer = copy.get();
      made->point = command->point;
      made->queue = copy->queues[places[calls[command->point - 1].queue]];
      made->kernel = command->kernel;
      made->properties = command->properties;
      made->fields = command->fields;
      made->launch = command->launch;
      copies.push_back(std::move(made));
    }
  }
  for (ClCommandBuffer::Call &call : calls) {
    if (!call.make) break; // another thread is recording it
    CommandBuilder command(*copy, places[call.queue], std::move(call.after));
    command.isBarrier = call.isBarrier;
    US_CHECK(command.recordBy(std::move(call.make)));
  }
  // "The returned command-buffer has the same state as the input command-buffer."
  if (state != core::CommandBufferState::Recording) US_CHECK(copy->core->finalize());
  for (size_t i = 0; i < copies.size(); ++i) handlesReturned[i] = copies[i]->handle();
  copy->handles = std::move(copies);
  return giveToApplication(std::move(copy));
}

} // namespace us::opencl
