// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers and barriers, and their forms of OpenCL 1.0 and 1.1.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

namespace us::opencl {
namespace {

using Order = core::CommandRequest::Order;

Expected<void> synchronise(cl_command_queue queue, cl_command_type type, Order order, const EventParameters &events) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, type, events));
  command.request.order = order;
  return command.enqueue();
}

} // namespace

// clEnqueueMarkerWithWaitList
Expected<void> enqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event) {
  return synchronise(queue, CL_COMMAND_MARKER, Order::Marker, {count, list, event});
}

// clEnqueueBarrierWithWaitList
Expected<void> enqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *list,
                                          cl_event *event) {
  return synchronise(queue, CL_COMMAND_BARRIER, Order::Barrier, {count, list, event});
}

// clCommandBarrierWithWaitListKHR
Expected<void> commandBarrierWithWaitListKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                             const cl_command_properties_khr *properties, cl_uint count,
                                             const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                             cl_mutable_command_khr *handle) {
  // Commands of one queue run in their order anyway: this one is only a point to name, and orders those of others.
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  command.isBarrier = true;
  return command.recordBy([](CommandBuilder &with) { return with.enqueue(); });
}

// clEnqueueMarker
Expected<void> enqueueMarker(cl_command_queue queue, cl_event *event) {
  US_CHECK(queueFrom(queue));
  // "CL_INVALID_VALUE if event is NULL."
  if (!event) return fail(ErrorCode::InvalidValue, "a marker without an event marks nothing");
  return synchronise(queue, CL_COMMAND_MARKER, Order::Marker, {0, nullptr, event});
}

// clEnqueueBarrier
Expected<void> enqueueBarrier(cl_command_queue queue) {
  return synchronise(queue, CL_COMMAND_BARRIER, Order::Barrier, {0, nullptr, nullptr});
}

// clEnqueueWaitForEvents
Expected<void> enqueueWaitForEvents(cl_command_queue queueHandle, cl_uint count, const cl_event *list) {
  US_TRY(ClQueue & queue, queueFrom(queueHandle));
  // "CL_INVALID_VALUE if num_events is 0 or event_list is NULL."
  if (count == 0 || !list)
    return fail(ErrorCode::InvalidValue, icd::format("{} events at {}", count, static_cast<const void *>(list)));
  // "CL_INVALID_EVENT if event objects specified in event_list are not valid events."
  for (cl_uint i = 0; i < count; ++i) US_CHECK(fromHandle<ClEvent>(list[i]));
  // "... wait for a specific event or a list of events to complete before any future commands queued in the
  // command-queue are executed": a barrier with a wait list.
  return synchronise(queue.handle(), CL_COMMAND_BARRIER, Order::Barrier, {count, list, nullptr});
}

} // namespace us::opencl
