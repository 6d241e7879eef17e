// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real drivers of this machine: which are asked, and which of their devices are taken.
#pragma once

#include "icd/platform/device_choice.h"
#include "runtime/base/options.h"
#include "runtime/device/device.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/loader/probe.h"

#include <vector>

namespace us::platform {

/// A driver, and what the policy makes of it.
struct DriverVerdict {
  forward::DriverReport report;
  std::string why;     ///< why none of its devices is taken; empty: some are
  bool isTold = false; ///< somebody should hear of it: it is broken
};

/// Asks the drivers that the choice may need, in processes of their own. Where no GPU can be, `auto` asks nobody and
/// costs next to nothing. `isForReport`: all are asked.
std::vector<DriverVerdict> judgeDrivers(const DeviceChoice &choice, const Options &options, bool isForReport = false);

/// The same of CUDA's drivers. At most one is used: the first that is good.
std::vector<DriverVerdict> judgeCudaDrivers(const DeviceChoice &choice, const Options &options,
                                            bool isForReport = false);
/// Whether the kernel shows a GPU that CUDA's driver drives, or UNDERSTUDY_FORWARD names such a driver.
bool mayHaveCudaDriver(const Options &options);

/// Opens the drivers that were found good, and says on standard error which were not.
std::vector<forward::OpenedDriver> openDrivers(const std::vector<DriverVerdict> &verdicts);
/// The same, and makes devices of theirs. `describer` is ForwardRequest::describer.
std::vector<Ref<Device>> openRealDevices(const std::vector<DriverVerdict> &verdicts, const Options &options,
                                         const Ref<Device> &describer);

} // namespace us::platform
