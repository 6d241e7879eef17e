// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_event, and wait lists.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "icd/opencl/queue.h"
#include "runtime/base/inline_vector.h"
#include "runtime/core/event.h"

namespace us::opencl {

class ClEvent : public ClObjectOf<ClEvent, cl_event, HandleKind::Event, ErrorCode::InvalidEvent> {
public:
  static constexpr const char *kName = "event";

  Ref<core::Event> core;
  Ref<ClContext> context;
  Ref<ClQueue> queue; ///< null for a user event
};

using WaitList = InlineVector<Ref<core::Event>, 4>;

/// The events of a command's (num_events_in_wait_list, event_wait_list) pair.
Expected<WaitList> waitListFrom(const ClContext &context, cl_uint count, const cl_event *list);

/// CL_EVENT_COMMAND_EXECUTION_STATUS of a state.
cl_int statusOf(const core::EventStatus &status);

} // namespace us::opencl
