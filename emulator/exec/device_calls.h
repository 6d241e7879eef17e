// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/device/device_functions.h"

#include <optional>

namespace us::exec {

/// Carries what a launch's kernels call to the API that launched them.
class DeviceCalls {
public:
  virtual ~DeviceCalls() = default;
  /// On a work-item's stack: throws nothing. Nothing: the API has no such function.
  virtual std::optional<uint64_t> call(DeviceFunction function, DeviceCall &call) = 0;
};

} // namespace us::exec
