// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LastEvent: of several calls that are one piece of work, the event of the latest. The driver's queue is in order, so
// it says that all have ended.
#pragma once

#include "runtime/forward/opencl/completion.h"

#include <utility>

namespace us::forward {

class LastEvent {
public:
  explicit LastEvent(const RealDevice &device) : device_(device) {}
  LastEvent(const LastEvent &) = delete;
  LastEvent &operator=(const LastEvent &) = delete;
  ~LastEvent() {
    if (!event_) return;
    // One of several failed, and those before it use the host's memory.
    device_.call().clFinish(device_.queue());
    device_.call().clReleaseEvent(event_);
  }
  Expected<void> keep(const char *call, cl_int code, cl_event event) {
    US_CHECK(driverResult(call, code));
    if (event_) device_.call().clReleaseEvent(event_);
    event_ = event;
    call_ = call;
    return {};
  }
  Begun take() { return {.event = std::exchange(event_, nullptr), .call = call_}; }

private:
  const RealDevice &device_;
  cl_event event_ = nullptr;
  const char *call_ = "";
};

} // namespace us::forward
