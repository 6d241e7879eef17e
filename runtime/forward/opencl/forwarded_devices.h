// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of a vendor's driver. All that others need of this folder.
#pragma once

#include "runtime/device/device.h"

#include <functional>
#include <string>
#include <vector>

namespace us::forward {

struct ForwardRequest {
  std::string library;                           ///< absolute
  std::function<bool(const DeviceInfo &)> wants; ///< which of its devices; empty: all
  /// A device that our own compiler builds for: programs are compiled for it, too, and tell what the driver does not of
  /// their kernels' arguments. Null: there is none.
  Ref<Device> describer;
};

/// Opens the driver in this process. Errors are sentences that go on "the driver …".
Expected<std::vector<Ref<Device>>> openDevices(const ForwardRequest &request);

} // namespace us::forward
