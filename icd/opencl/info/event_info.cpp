// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetEventInfo, clGetEventProfilingInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/event.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

constexpr InfoRow<ClEvent> kEventRows[] = {
    // "For user event objects, a NULL value is returned." "For events returned by a command-buffer enqueue operation to
    // multiple command-queues, NULL is returned."
    {CL_EVENT_COMMAND_QUEUE,
     [](auto &e, InfoWriter &w) { return w.put<cl_command_queue>(e.queue ? e.queue->handle() : nullptr); }},
    {CL_EVENT_CONTEXT, [](auto &e, InfoWriter &w) { return w.put<cl_context>(e.context->handle()); }},
    {CL_EVENT_COMMAND_TYPE,
     [](auto &e, InfoWriter &w) { return w.put<cl_command_type>(e.isUser() ? CL_COMMAND_USER : e.core()->apiTag()); }},
    {CL_EVENT_COMMAND_EXECUTION_STATUS,
     [](auto &e, InfoWriter &w) { return w.put<cl_int>(statusOf(e.queryStatus())); }},
    {CL_EVENT_REFERENCE_COUNT, [](auto &e, InfoWriter &w) { return w.put<cl_uint>(e.applicationCount()); }},
};

constexpr InfoRow<core::EventTimes> kTimeRows[] = {
    {CL_PROFILING_COMMAND_QUEUED, [](auto &t, InfoWriter &w) { return w.put<cl_ulong>(t.queued); }},
    {CL_PROFILING_COMMAND_SUBMIT, [](auto &t, InfoWriter &w) { return w.put<cl_ulong>(t.submitted); }},
    {CL_PROFILING_COMMAND_START, [](auto &t, InfoWriter &w) { return w.put<cl_ulong>(t.started); }},
    {CL_PROFILING_COMMAND_END, [](auto &t, InfoWriter &w) { return w.put<cl_ulong>(t.ended); }},
    {CL_PROFILING_COMMAND_COMPLETE, [](auto &t, InfoWriter &w) { return w.put<cl_ulong>(t.completed); }},
};

} // namespace

// clGetEventInfo
Expected<void> getEventInfo(cl_event handle, cl_event_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_EVENT if event is a not a valid event object."
  US_TRY(ClEvent & event, fromHandle<ClEvent>(handle));
  Expected<void> answered = icd::answer(kEventRows, event, name, size, value, sizeReturned);
  if (CommandChecks *const checks = commandChecks();
      checks && name == CL_EVENT_COMMAND_EXECUTION_STATUS && event.core()->peekStatus().ended())
    checks->hostKnows(*event.core());
  return answered;
}

// clGetEventProfilingInfo
Expected<void> getEventProfilingInfo(cl_event handle, cl_profiling_info name, size_t size, void *value,
                                     size_t *sizeReturned) {
  US_TRY(ClEvent & event, fromHandle<ClEvent>(handle));
  // "CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue, if the
  // execution status of the command identified by event is not CL_COMPLETE or if event is a user event object."
  US_TRY(core::EventTimes times, event.times());
  if (CommandChecks *const checks = commandChecks()) checks->hostKnows(*event.core());
  return icd::answer(kTimeRows, times, name, size, value, sizeReturned);
}

} // namespace us::opencl
