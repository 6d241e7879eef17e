// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/device/device.h"

namespace us {

/// Keeps how a command went, for who knows by other means that it has ended: a device of ours ends a copy, say, before
/// submit returns.
struct CommandOutcome : CommandObserver {
  void started(uint64_t time) override { begin = time; }
  void finished(uint64_t time, Expected<void> how) override {
    end = time;
    result = std::move(how);
  }
  uint64_t begin = 0, end = 0;
  Expected<void> result;
};

} // namespace us
