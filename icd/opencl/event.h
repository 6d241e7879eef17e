// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_event, and wait lists.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "icd/opencl/queue.h"
#include "runtime/base/inline_vector.h"
#include "runtime/base/short_lock.h"
#include "runtime/core/event.h"

#include <memory>
#include <vector>

namespace us::opencl {

class ClEvent : public ClObjectOf<ClEvent, cl_event, HandleKind::Event, ErrorCode::InvalidEvent> {
public:
  static constexpr const char *kName = "event";
  ~ClEvent() override {
    if (passed_.handle) queue->core->releasePassed(passed_);
  }

  bool isUser() const { return !queue && !parts; }
  /// What the event stands for. Where the device alone knows of the command, its event is made now.
  const Ref<core::Event> &core() const;
  void standFor(Ref<core::Event> event) { setCore(std::move(event)); }
  void standFor(PassedCommand command) { passed_ = command; }
  /// The command as its device knows it, if nobody else knows of it; else null.
  PassedCommand passed() const { return hasCore_.load(std::memory_order_acquire) ? PassedCommand() : passed_; }

  Ref<ClContext> context;
  Ref<ClQueue> queue; ///< null for a user event, and for a command buffer on several queues

  /// What a command buffer is on several queues; core() ends when all of it has.
  struct Parts {
    std::vector<Ref<core::Event>> events;
    std::vector<Ref<ClQueue>> queues;
  };
  std::shared_ptr<const Parts> parts; ///< null: one command

  /// Errors: ProfilingInfoNotAvailable.
  Expected<core::EventTimes> times() const;
  core::EventStatus queryStatus() const;
  /// Calls back when the state is reached: of parts, when one of them has reached it, or all have ended.
  void addCallback(core::EventState state, core::EventCallback callback) const;

private:
  void setCore(Ref<core::Event> event) const;

  PassedCommand passed_;
  mutable ShortLock making_; // held while core_ is made of passed_
  mutable Ref<core::Event> core_;
  mutable std::atomic<bool> hasCore_{false}; ///< it changes no more
};

using WaitList = InlineVector<Ref<core::Event>, 4>;

using PassedList = InlineVector<PassedCommand, 4>;

/// The commands that these events stand for, if the device of `queue` alone knows of all of them, for a command of
/// that queue to come after them: other queues are flushed. Empty if some is another one, or no event at all.
PassedList passedListFrom(const ClQueue &queue, cl_uint count, const cl_event *list);

/// The events of a command's (num_events_in_wait_list, event_wait_list) pair.
Expected<WaitList> waitListFrom(const ClContext &context, cl_uint count, const cl_event *list);

/// CL_EVENT_COMMAND_EXECUTION_STATUS of a state.
cl_int statusOf(const core::EventStatus &status);

} // namespace us::opencl
