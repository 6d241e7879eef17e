// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/blocking_run.h"

#include "runtime/device/command_outcome.h"

namespace us::compare {
namespace {

struct Waiter final : AwaitedOutcome {
  void codeAwaited(uint64_t nanoseconds) override { all.codeAwaited += nanoseconds; }
  void ownPartEnded(uint64_t time) override { all.ownPartEnded = time; }
  void found(const Finding &finding) override { all.findings.push_back(finding); }
  RunOutcome all;
};

} // namespace

RunOutcome runAndWait(Device &device, const Command &command) {
  Waiter waiter;
  device.submit(command, waiter);
  waiter.wait();
  waiter.all.begin = waiter.begin;
  waiter.all.end = waiter.end;
  waiter.all.result = std::move(waiter.result);
  return std::move(waiter.all);
}

void tell(CommandObserver &observer, RunOutcome outcome) {
  if (outcome.codeAwaited) observer.codeAwaited(outcome.codeAwaited);
  observer.started(outcome.begin);
  if (outcome.ownPartEnded) observer.ownPartEnded(*outcome.ownPartEnded);
  for (const Finding &finding : outcome.findings) observer.found(finding);
  observer.finished(outcome.end, std::move(outcome.result));
}

} // namespace us::compare
