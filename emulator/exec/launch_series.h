// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches one after the other on one thread, as a list of commands has them. What a launch that comes again and again
// needs is worked out once, and what small ones need of the thread they find there: each then costs little more than
// the call of its code.
#pragma once

#include "emulator/exec/kernel_guard.h"
#include "emulator/exec/launch_form.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/exec/watchdog.h"

#include <atomic>
#include <optional>

namespace us::exec {

/// A launch whose runs differ in nothing but their number and their observer. It changes no more, and so several
/// threads may run it.
class RepeatedLaunch {
public:
  /// What the plan points to lives as long as this.
  explicit RepeatedLaunch(const LaunchPlan &plan);
  const LaunchPlan &plan() const { return plan_; }

private:
  friend class LaunchSeries;
  const LaunchForm form_;
  const abi::RangeEntry entry_; ///< null: a run needs more than one thread and a call
  const LaunchPlan plan_;
};

/// As long as it lives, the launches of this thread follow one another, with nothing of the host's in between: signal
/// handlers and floating-point modes are seen to once.
class LaunchSeries {
public:
  LaunchSeries(Scheduler &scheduler, CommandObserver &observer)
      : scheduler_(scheduler), observer_(observer), guard_(&ctrlC_.pressed) {}
  ~LaunchSeries();
  LaunchSeries(const LaunchSeries &) = delete;
  LaunchSeries &operator=(const LaunchSeries &) = delete;

  /// As runLaunch.
  Expected<void> run(const RepeatedLaunch &launch, uint64_t number);
  /// Before the thread does anything else that needs memory of a work-group.
  void letGroupGo();

private:
  struct CtrlC final : Watched {
    void timeLimitPassed() override {}
    void interrupted() override { std::atomic_ref(pressed).store(1, std::memory_order_relaxed); }
    uint32_t pressed = 0;
  };

  bool takeGroup(const RepeatedLaunch &launch);
  Expected<void> runAlone(const RepeatedLaunch &launch, uint64_t number, bool isTimed);

  Scheduler &scheduler_;
  CommandObserver &observer_;
  CtrlC ctrlC_;
  std::optional<Participant> participant_; ///< once a launch was one that Ctrl-C ends
  KernelGuard guard_;
  abi::LaunchContext context_;
  WorkGroup *group_ = nullptr; ///< null: none was needed yet
  std::optional<PrintfBuffer> printf_;
  uint64_t printfLimit_ = 0;
};

} // namespace us::exec
