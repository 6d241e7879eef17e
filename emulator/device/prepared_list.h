// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is found out of a list's launches in its first run, and holds in all later ones.
#pragma once

#include "emulator/device/aligned_arguments.h"
#include "emulator/device/emulated_kernel.h"
#include "emulator/exec/launch_series.h"
#include "runtime/base/geometry.h"
#include "runtime/device/command.h"

#include <atomic>
#include <memory>
#include <vector>

namespace us::emulator {

class EmulatedDevice;

/// A launch whose plan is that of each run.
struct KnownLaunch {
  /// The command lives as long as this.
  KnownLaunch(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan plan)
      : kernel(kernel), arguments(command.arguments, kernel.argumentAlignment()), launch(withArguments(plan)) {}

  KernelCode &kernel;
  const AlignedArguments arguments;
  const exec::RepeatedLaunch launch;
  uint64_t items = 0;
  bool isPassing = false; ///< with code that is not the kernel's last, which counts the work-items that it runs
  bool isPlain = false;   ///< the launch is all there is to do

private:
  exec::LaunchPlan withArguments(exec::LaunchPlan plan) const {
    plan.arguments = arguments.data();
    plan.observer = nullptr;
    return plan;
  }
};

/// A launch that was checked and has work-items; others have a local size of zeros.
struct PreparedLaunch {
  Size3 localSize{0, 0, 0};

  ~PreparedLaunch() {
    delete passing_.load(std::memory_order_relaxed);
    delete lasting_.load(std::memory_order_relaxed);
  }
  /// Null: the next run may be another one.
  const KnownLaunch *known() const {
    if (const KnownLaunch *const one = lasting_.load(std::memory_order_acquire)) return one;
    const KnownLaunch *const one = passing_.load(std::memory_order_acquire);
    return one && one->kernel.baselineSuffices(one->items) ? one : nullptr;
  }
  /// Of several threads' the first stays: others may be running it.
  void keep(std::unique_ptr<KnownLaunch> launch) {
    KnownLaunch *none = nullptr;
    auto &place = launch->isPassing ? passing_ : lasting_;
    if (place.compare_exchange_strong(none, launch.get(), std::memory_order_acq_rel)) (void)launch.release();
  }

private:
  std::atomic<KnownLaunch *> passing_{nullptr}, lasting_{nullptr};
};

struct PreparedList final : ListState {
  PreparedList(const EmulatedDevice &device, size_t commands) : device(&device), launches(commands) {}

  const EmulatedDevice *device;         ///< only compared: launches on another device may have other sizes
  std::vector<PreparedLaunch> launches; ///< by the command's number
};

} // namespace us::emulator
