// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/work_limit.h"

#include <ctime>

namespace us {
namespace {

thread_local constinit WorkLimit *current = nullptr;

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

} // namespace

WorkLimit::WorkLimit(uint64_t milliseconds, void (*leave)())
    : deadline_(milliseconds ? now() + milliseconds * 1'000'000 : 0), leave_(leave), outer_(current) {
  current = this;
}

WorkLimit::~WorkLimit() { current = outer_; }

bool workIsLimited() { return current && current->deadline_; }

void workStep() {
  if (workIsLimited() && now() > current->deadline_) current->leave_();
}

} // namespace us
