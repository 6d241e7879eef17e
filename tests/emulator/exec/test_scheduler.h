// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler of tests that do not care for it: as many threads as the machine has cores.
#pragma once

#include "emulator/exec/launch.h"

#include <algorithm>
#include <thread>

namespace us::exec {

inline unsigned testThreads() { return std::max(std::thread::hardware_concurrency(), 1u); }

inline Scheduler &testScheduler() {
  static Scheduler &scheduler = *makeParallelScheduler(testThreads()).release();
  return scheduler;
}

inline Expected<void> runLaunch(const LaunchPlan &plan) { return runLaunch(plan, testScheduler()); }

} // namespace us::exec
