// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/work_limit.h"

#include "runtime/base/clock.h"

namespace us {
namespace {

thread_local constinit WorkLimit *current = nullptr;

} // namespace

WorkLimit::WorkLimit(uint64_t milliseconds, void (*leave)())
    : deadline_(milliseconds ? monotonicNanoseconds() + milliseconds * 1'000'000 : 0), leave_(leave), outer_(current) {
  current = this;
}

WorkLimit::~WorkLimit() { current = outer_; }

bool workIsLimited() { return current && current->deadline_; }

void workStep() {
  if (workIsLimited() && monotonicNanoseconds() > current->deadline_) current->leave_();
}

} // namespace us
