// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the library of a CUDA driver, and asks it which devices it has.
#pragma once

#include "runtime/base/expected.h"

#include <string>
#include <vector>

namespace us::forward {

/// What our libcuda.so.1 exports and no driver does: another copy of us is known by it.
inline constexpr const char *kOurCudaMark = "cuUnderstudy";

struct OpenedCudaDriver {
  std::string library;    ///< the absolute path it was opened by
  void *handle = nullptr; ///< dlopen's
};

/// Opens a driver, which then stays open; nothing of it is called. One that is among `own` (fileIdentity) is not
/// opened. Errors are sentences as openDriver's: InvalidPlatform (it is ours), DeviceNotAvailable.
Expected<OpenedCudaDriver> openCudaDriver(const std::string &library, const std::vector<std::string> &own);

struct CudaDriverFacts {
  int version = 0; ///< 13000
  std::vector<std::string> devices;
};
/// Starts the driver. DeviceNotFound: nothing is wrong with it, but its hardware is not there.
Expected<CudaDriverFacts> askCudaDriver(const OpenedCudaDriver &driver);

/// "13.0" of 13000.
std::string cudaVersionText(int version);

} // namespace us::forward
