// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/blocking_submit.h"

#include "runtime/device/command_outcome.h"

#include <atomic>

namespace us::core {
namespace {
struct Waiter final : CommandOutcome {
  Attention attention() const override { return Attention::Waits; }
  bool wantsTimes() const override { return false; }
  void finished(uint64_t time, Expected<void> ended) override {
    CommandOutcome::finished(time, std::move(ended));
    done.store(1, std::memory_order_release);
    done.notify_one(); // by address only: the waiter may be gone
  }
  std::atomic<uint32_t> done{0};
};
} // namespace

Expected<void> submitAndWait(Device &device, const Command &command) {
  Waiter waiter;
  device.submit(command, waiter);
  while (waiter.done.load(std::memory_order_acquire) == 0) waiter.done.wait(0, std::memory_order_acquire);
  return std::move(waiter.result);
}

} // namespace us::core
