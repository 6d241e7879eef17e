// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/blocking_submit.h"

#include "runtime/device/command_outcome.h"

namespace us::core {
namespace {
struct Waiter final : AwaitedOutcome {
  bool wantsTimes() const override { return false; }
};
} // namespace

Expected<void> submitAndWait(Device &device, const Command &command) {
  US_TRY(const bool hasRun, device.runToEnd(command));
  if (hasRun) return {};
  Waiter waiter;
  device.submit(command, waiter);
  waiter.wait();
  return std::move(waiter.result);
}

} // namespace us::core
