// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/blocking_run.h"

#include <condition_variable>
#include <mutex>

namespace us::compare {
namespace {

class Waiter final : public CommandObserver {
public:
  Attention attention() const override { return Attention::Waits; }
  void started(uint64_t time) override { outcome_.begin = time; }
  void codeAwaited(uint64_t nanoseconds) override { outcome_.codeAwaited += nanoseconds; }
  void ownPartEnded(uint64_t time) override { outcome_.ownPartEnded = time; }
  void found(const Finding &finding) override { outcome_.findings.push_back(finding); }
  void finished(uint64_t time, Expected<void> result) override {
    outcome_.end = time;
    outcome_.result = std::move(result);
    // With the lock held, since the waiter goes away with what it waits for.
    std::lock_guard hold(mutex_);
    hasEnded_ = true;
    ended_.notify_one();
  }
  RunOutcome wait() {
    std::unique_lock hold(mutex_);
    ended_.wait(hold, [&] { return hasEnded_; });
    return std::move(outcome_);
  }

private:
  RunOutcome outcome_;
  std::mutex mutex_; // guards hasEnded_
  std::condition_variable ended_;
  bool hasEnded_ = false;
};

} // namespace

RunOutcome runAndWait(Device &device, const Command &command) {
  Waiter waiter;
  device.submit(command, waiter);
  return waiter.wait();
}

void tell(CommandObserver &observer, RunOutcome outcome) {
  if (outcome.codeAwaited) observer.codeAwaited(outcome.codeAwaited);
  observer.started(outcome.begin);
  if (outcome.ownPartEnded) observer.ownPartEnded(*outcome.ownPartEnded);
  for (const Finding &finding : outcome.findings) observer.found(finding);
  observer.finished(outcome.end, std::move(outcome.result));
}

} // namespace us::compare
