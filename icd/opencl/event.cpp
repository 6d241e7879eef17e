// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about events.
#include "icd/opencl/event.h"

#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>

namespace us::opencl {
namespace {

ExpectedRef<ClEvent> eventFrom(cl_event handle) {
  auto event = fromHandle<ClEvent>(handle);
  if (event) noteContext(*event->get().context);
  return event;
}

} // namespace

void ClEvent::setCore(Ref<core::Event> event) const {
  core_ = std::move(event);
  hasCore_.store(true, std::memory_order_release);
}

const Ref<core::Event> &ClEvent::core() const {
  if (hasCore_.load(std::memory_order_acquire)) return core_;
  const std::lock_guard hold(making_);
  // Launches alone are passed on in this way.
  if (!hasCore_.load(std::memory_order_relaxed)) setCore(queue->core->eventOf(passed_, CL_COMMAND_NDRANGE_KERNEL));
  return core_;
}

core::EventStatus ClEvent::queryStatus() const {
  const core::EventStatus all = core()->queryStatus();
  if (!parts || (all.ended() && !all.failed())) return all;
  core::EventStatus status = all;
  for (const Ref<core::Event> &event : parts->events) {
    const core::EventStatus one = event->peekStatus();
    // A part that did not fail because of another one.
    if (all.failed() && one.failed() && one.error != ErrorCode::ExecStatusErrorInWaitList) return one;
    // "CL_SUBMITTED - Commands from the command-buffer have been submitted by the host to any device associated with
    // one of the command-queues." "CL_RUNNING - Any command from the command-buffer has started execution on a device."
    if (!all.ended()) status.state = std::max(status.state, std::min(one.state, core::EventState::Running));
  }
  return status;
}

Expected<core::EventTimes> ClEvent::times() const {
  if (!parts) return core()->times();
  // "CL_PROFILING_INFO_NOT_AVAILABLE is returned if all the queues passed do not have CL_QUEUE_PROFILING_ENABLE set."
  if (std::ranges::none_of(parts->queues, [](const Ref<ClQueue> &queue) { return queue->core->isProfiling(); }))
    return fail(ErrorCode::ProfilingInfoNotAvailable, "none of the command buffer's queues profiles");
  US_TRY(const core::EventTimes all, core()->times());
  core::EventTimes times = all;
  // "the host time is used when command-buffer commands have been submitted to any command-queue", "when any device
  // starts executing a command-buffer command", "when the last command-buffer command finishes execution on any
  // device": as far as queues profile. "An implementation may fallback to reporting CL_PROFILING_COMMAND_SUBMIT and
  // CL_PROFILING_COMMAND_COMPLETE for CL_PROFILING_COMMAND_START and CL_PROFILING_COMMAND_END respectively."
  times.started = ~uint64_t(0);
  times.ended = 0;
  for (const Ref<core::Event> &event : parts->events) {
    const Expected<core::EventTimes> one = event->times();
    if (!one) continue;
    times.queued = std::min(times.queued, one->queued);
    times.submitted = std::min(times.submitted, one->submitted);
    times.started = std::min(times.started, one->started);
    times.ended = std::max(times.ended, one->ended);
  }
  if (times.ended == 0) {
    times.started = times.submitted;
    times.ended = times.completed;
  }
  times.completed = std::max(times.completed, times.ended);
  return times;
}

void ClEvent::addCallback(core::EventState state, core::EventCallback callback) const {
  if (!parts || state >= core::EventState::Complete || parts->events.empty())
    return core()->addCallback(state, std::move(callback));
  // The first part that comes so far, and no other.
  const auto once = [isDone = std::make_shared<std::atomic<bool>>(false),
                     callback = std::move(callback)](const core::EventStatus &status) {
    if (!isDone->exchange(true)) callback(status);
  };
  for (const Ref<core::Event> &event : parts->events) event->addCallback(state, once);
}

PassedList passedListFrom(const ClQueue &queue, cl_uint count, const cl_event *list) {
  PassedList commands;
  for (cl_uint i = 0; i < count; ++i) {
    const ClEvent *const event = objectBehind<ClEvent>(list[i]);
    const PassedCommand command = event ? event->passed() : PassedCommand();
    if (!command.handle) return {};
    const ClQueue &other = *event->queue;
    if (other.context != queue.context || other.device != queue.device) return {};
    // "To use event objects that refer to commands enqueued in a command-queue as event objects to wait on by commands
    // enqueued in a different command-queue, the application must call a clFlush": we do.
    if (&other != &queue) (void)other.core->flush();
    commands.push_back(command);
  }
  return commands;
}

namespace {

/// Waits for events of which the device of the first alone knows, if all are such. False: not all have ended well, or
/// some is another one.
bool awaitPassed(cl_uint count, const cl_event *list) {
  const ClEvent *const first = objectBehind<ClEvent>(*list);
  if (!first || !first->passed().handle) return false;
  if (count > 1) {
    const PassedList commands = passedListFrom(*first->queue, count, list);
    return !commands.empty() && first->queue->core->awaitPassed(commands);
  }
  const PassedCommand command = first->passed();
  return first->queue->core->awaitPassed({&command, 1});
}

} // namespace

Expected<WaitList> waitListFrom(const ClContext &context, cl_uint count, const cl_event *list) {
  // "CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or if event_wait_list is
  // not NULL and num_events_in_wait_list is 0, or if event objects in event_wait_list are not valid events."
  if (!list != (count == 0))
    return fail(ErrorCode::InvalidEventWaitList,
                icd::format("a wait list of {} events at {}", count, static_cast<const void *>(list)));
  WaitList events;
  for (cl_uint i = 0; i < count; ++i) {
    auto event = fromHandle<ClEvent>(list[i]);
    if (!event) return fail(ErrorCode::InvalidEventWaitList, std::move(event).error().message);
    // "CL_INVALID_CONTEXT if the context associated with command_queue and events in event_wait_list are not the same."
    if (event->get().context.get() != &context)
      return fail(ErrorCode::InvalidContext, icd::format("event {} of the wait list is of another context", i));
    events.push_back(event->get().core());
  }
  return events;
}

cl_int statusOf(const core::EventStatus &status) {
  constexpr cl_int kStatus[] = {CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
  if (!status.failed()) return kStatus[static_cast<size_t>(status.state)];
  return status.userCode < 0 ? status.userCode : codeOf(status.error);
}

// clCreateUserEvent
Expected<cl_event> createUserEvent(cl_context handle) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  US_TRY(Ref<ClEvent> event, makeObject<ClEvent>());
  CommandChecks *const checks = commandChecks();
  event->standFor(
      core::Event::createUser(*context.core, checks ? checks->watchUserEvent() : Ref<core::CommandWatch>()));
  event->context = Ref<ClContext>(&context);
  return giveToApplication(std::move(event));
}

// clSetUserEventStatus
Expected<void> setUserEventStatus(cl_event handle, cl_int status) {
  // "CL_INVALID_EVENT if event is not a valid user event object."
  US_TRY(ClEvent & event, eventFrom(handle));
  if (!event.isUser()) return fail(ErrorCode::InvalidEvent, "the event is no user event");
  // "CL_INVALID_VALUE if the execution_status is not CL_COMPLETE or a negative integer value."
  if (status > CL_COMPLETE) return fail(ErrorCode::InvalidValue, icd::format("{} is no final status", status));
  // "CL_INVALID_OPERATION if the execution_status for event has already been changed": the core holds this under
  // concurrency.
  return event.core()->completeUser(status);
}

// clWaitForEvents
Expected<void> waitForEvents(cl_uint count, const cl_event *list) {
  // "CL_INVALID_VALUE if num_events is zero or event_list is NULL."
  if (count == 0 || !list)
    return fail(ErrorCode::InvalidValue, icd::format("{} events at {}", count, static_cast<const void *>(list)));
  CommandChecks *const checks = commandChecks();
  if (!checks && awaitPassed(count, list)) return {};
  WaitList events;
  const ClContext *context = nullptr;
  for (cl_uint i = 0; i < count; ++i) {
    // "CL_INVALID_EVENT if event objects specified in event_list are not valid event objects."
    US_TRY(ClEvent & event, eventFrom(list[i]));
    // "CL_INVALID_CONTEXT if events specified in event_list do not belong to the same context."
    if (context && context != event.context.get())
      return fail(ErrorCode::InvalidContext, icd::format("event {} is of another context than the first", i));
    context = event.context.get();
    events.push_back(event.core());
    if (checks && event.queue) checks->flushed(*event.queue);
    if (checks && event.parts)
      for (const Ref<ClQueue> &queue : event.parts->queues) checks->flushed(*queue);
  }
  // "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in event_list is a
  // negative integer value."
  Expected<void> done = core::Event::waitAll(events);
  if (checks)
    for (const Ref<core::Event> &event : events) checks->hostWaitedFor(*event);
  return done;
}

// clRetainEvent
Expected<void> retainEvent(cl_event event) { return retainHandle<ClEvent>(event); }

// clReleaseEvent
Expected<void> releaseEvent(cl_event event) { return releaseHandle<ClEvent>(event); }

// clSetEventCallback
Expected<void> setEventCallback(cl_event handle, cl_int type, void(CL_CALLBACK *callback)(cl_event, cl_int, void *),
                                void *userData) {
  // "CL_INVALID_EVENT if event is not a valid event object."
  US_TRY(ClEvent & event, eventFrom(handle));
  // "CL_INVALID_VALUE if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, CL_RUNNING, or
  // CL_COMPLETE."
  if (!callback) return fail(ErrorCode::InvalidValue, "the callback is NULL");
  core::EventState state;
  switch (type) {
  case CL_SUBMITTED:
    state = core::EventState::Submitted;
    break;
  case CL_RUNNING:
    state = core::EventState::Running;
    break;
  case CL_COMPLETE:
    state = core::EventState::Complete;
    break;
  default:
    return fail(ErrorCode::InvalidValue, icd::format("{} is not a status that calls back", type));
  }
  // The handle stays valid until the callback has returned, even if the application has released it.
  event.addCallback(state, [=, keep = Ref<ClEvent>(&event)](const core::EventStatus &status) {
    if (CommandChecks *const checks = commandChecks(); checks && status.ended()) checks->hostKnows(*keep->core());
    callback(handle, status.failed() ? statusOf(status) : type, userData);
  });
  return {};
}

} // namespace us::opencl
