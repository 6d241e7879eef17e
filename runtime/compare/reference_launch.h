// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch on its way to the reference, which knows its own kernels only: also those that come of what kernels call.
#pragma once

#include "runtime/device/device_runtime.h"

namespace us::compare {

class ReferenceLaunch {
public:
  explicit ReferenceLaunch(const LaunchCommand &launch);
  /// Valid as long as this lives, and what the original names.
  const LaunchCommand &launch() const { return launch_; }

private:
  LaunchCommand launch_;
  Ref<DeviceRuntime> runtime_; ///< that the launch names; null: none
};

} // namespace us::compare
