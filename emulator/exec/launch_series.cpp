// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/launch_series.h"

#include "emulator/exec/progress.h"
#include "runtime/base/clock.h"
#include "runtime/base/fork_guard.h"

#include <utility>

namespace us::exec {
namespace {

/// Of a launch that one thread can run as a call: nothing is checked, copied, awaited or shown.
bool isCall(const LaunchPlan &plan, const LaunchForm &form) {
  const bool isWatched = plan.timeLimit != 0 || Progress::isShown(plan.showsProgress);
  return plan.shape == abi::EntryShape::Range && !form.tooManyGroups && form.shape.groups != 0 && plan.copies.empty() &&
         plan.cores.empty() && !plan.calls && !plan.checks && !plan.globalCells && form.needs.cellBytes == 0 &&
         !isWatched;
}

} // namespace

RepeatedLaunch::RepeatedLaunch(const LaunchPlan &plan)
    : form_(plan), entry_(isCall(plan, form_) ? reinterpret_cast<abi::RangeEntry>(plan.entry) : nullptr), plan_(plan) {}

LaunchSeries::~LaunchSeries() {
  letGroupGo();
  unwatch(ctrlC_);
}

void LaunchSeries::letGroupGo() {
  if (group_) std::exchange(group_, nullptr)->release();
}

/// False: there is no memory.
bool LaunchSeries::takeGroup(const RepeatedLaunch &launch) {
  letGroupGo();
  const LaunchPlan &plan = launch.plan_;
  if (!printf_ || printfLimit_ != plan.printfLimit) printf_.emplace(plan.printfLimit);
  printfLimit_ = plan.printfLimit;
  const Expected<WorkGroup *> acquired = WorkGroup::acquire(launch.form_.needs, StackClaim::Wait);
  if (!acquired) return false;
  group_ = *acquired;
  introduce(*group_, plan, context_, *printf_, scheduler_);
  group_->guard = &guard_;
  group_->argumentCopies = nullptr;
  return true;
}

Expected<void> LaunchSeries::run(const RepeatedLaunch &launch, uint64_t number) {
  const Alone alone = launch.entry_ && !inForkedChild() ? scheduler_.runsAlone(launch.form_.shape) : Alone::No;
  if (alone != Alone::No &&
      ((group_ && group_->serves(launch.form_.needs) && printfLimit_ == launch.plan_.printfLimit) || takeGroup(launch)))
    return runAlone(launch, number, alone == Alone::Timed);
  letGroupGo();
  LaunchPlan plan = launch.plan_;
  plan.launchNumber = number;
  plan.observer = &observer_;
  return runLaunch(plan, scheduler_);
}

Expected<void> LaunchSeries::runAlone(const RepeatedLaunch &launch, uint64_t number, bool isTimed) {
  context_ = launch.form_.context;
  context_.launchNumber = number;
  group_->heap = launch.plan_.heap;
  group_->linearGroup = 0;
  RangeCall call{launch.entry_, &context_, group_, {0, launch.form_.shape.groups}};
  if (launch.plan_.interruptible && !participant_) {
    participant_.emplace(ctrlC_);
    watch(ctrlC_, 0, true);
  }
  const uint64_t begin = isTimed ? monotonicNanoseconds() : 0;
  // Pressed between two launches it ends the next one.
  const bool isOver = std::atomic_ref(ctrlC_.pressed).load(std::memory_order_relaxed) != 0;
  const Leave how = isOver ? Leave::Aborted : guard_.call(RangeCall::run, &call, *group_);
  if (isTimed) scheduler_.ranAlone(launch.form_.shape, begin, monotonicNanoseconds());
  if (!printf_->empty()) printf_->flush();
  if (how == Leave::Returned) return {};
  LaunchPlan plan = launch.plan_;
  plan.observer = &observer_;
  return failureOf(plan, scheduler_, how, guard_, *group_, call.range);
}

} // namespace us::exec
