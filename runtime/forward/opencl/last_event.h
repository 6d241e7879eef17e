// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LastEvent: of several calls that are one piece of work, the event of the latest. The driver's queue is in order, so
// it says that all have ended.
#pragma once

#include "runtime/forward/opencl/completion.h"

#include <utility>

namespace us::forward {

class LastEvent {
public:
  /// Without events it only says that something was begun.
  explicit LastEvent(const RealQueue &on, bool wantsEvents = true) : on_(on), wantsEvents_(wantsEvents) {}
  LastEvent(const LastEvent &) = delete;
  LastEvent &operator=(const LastEvent &) = delete;
  ~LastEvent() {
    if (!hasBegun_) return;
    // One of several failed, and those before it use the host's memory.
    on_.call().clFinish(on_.queue());
    if (event_) on_.call().clReleaseEvent(event_);
  }
  bool wantsEvents() const { return wantsEvents_; }
  Expected<void> keep(const char *call, cl_int code, cl_event event) {
    US_CHECK(driverResult(call, code));
    if (event_) on_.call().clReleaseEvent(event_);
    hasBegun_ = true;
    event_ = event;
    call_ = call;
    return {};
  }
  Begun take() {
    const bool hasNoEvent = std::exchange(hasBegun_, false) && !wantsEvents_;
    return {.event = std::exchange(event_, nullptr), .call = call_, .hasNoEvent = hasNoEvent};
  }

private:
  const RealQueue &on_;
  const bool wantsEvents_;
  bool hasBegun_ = false;
  cl_event event_ = nullptr;
  const char *call_ = "";
};

} // namespace us::forward
