// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the calling thread on some cores for a while. Where it may run afterwards is what the host program had set.
#pragma once

#include <sched.h>
#include <span>

namespace us::exec {

class CorePin {
public:
  /// No cores: does nothing. Cores that the process has lost meanwhile are passed over; none left: does nothing.
  explicit CorePin(std::span<const int> cores) {
    if (cores.empty() || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (int core : cores) CPU_SET(core, &wanted);
    pinned_ = sched_setaffinity(0, sizeof wanted, &wanted) == 0;
  }
  ~CorePin() {
    if (pinned_) sched_setaffinity(0, sizeof before_, &before_);
  }
  CorePin(const CorePin &) = delete;
  CorePin &operator=(const CorePin &) = delete;

private:
  cpu_set_t before_;
  bool pinned_ = false;
};

} // namespace us::exec
