// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Observers that keep how a command went.
#pragma once

#include "runtime/device/device.h"

#include <atomic>

namespace us {

/// For who knows by other means that the command has ended: a device of ours ends a copy, say, before submit returns.
struct CommandOutcome : CommandObserver {
  void started(uint64_t time) override { begin = time; }
  void finished(uint64_t time, Expected<void> how) override {
    end = time;
    result = std::move(how);
  }
  uint64_t begin = 0, end = 0;
  Expected<void> result;
};

/// For who waits for the end, whichever thread it comes from.
struct AwaitedOutcome : CommandOutcome {
  Attention attention() const override { return Attention::Waits; }
  void finished(uint64_t time, Expected<void> how) override {
    CommandOutcome::finished(time, std::move(how));
    hasEnded_.store(1, std::memory_order_release);
    hasEnded_.notify_one(); // by address only: who waited may be gone, and this with him
  }
  void wait() const { hasEnded_.wait(0, std::memory_order_acquire); }

private:
  std::atomic<uint32_t> hasEnded_{0}; ///< what the system waits for has 32 bits
};

} // namespace us
