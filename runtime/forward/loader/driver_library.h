// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the library of a driver, and finds its platforms with their tables of functions.
#pragma once

#include "runtime/base/expected.h"

#include <CL/cl_icd.h>

#include <string>
#include <vector>

namespace us::forward {

/// A platform of a driver. Its objects are called through `call` only.
struct DriverPlatform {
  cl_platform_id id = nullptr;
  const cl_icd_dispatch *call = nullptr;
};

struct OpenedDriver {
  std::string library; ///< the absolute path it was opened by
  void *(*extension)(const char *name) = nullptr;
  std::vector<DriverPlatform> platforms;
};

/// Device and inode of a file, "2049:1234"; empty if there is none.
std::string fileIdentity(const std::string &path);
/// Those of our own libraries.
std::vector<std::string> ownLibraries();
/// A file that lies beside our own library, or where a build has its libraries; empty if there is none.
std::string besideOurLibrary(const std::string &name);

/// Opens a driver, which then stays open, and asks it for its platforms. One that is among `own` (fileIdentity) is not
/// asked for anything. Errors are sentences that go on "the driver …": InvalidPlatform (it is ours), DeviceNotFound
/// (nothing is wrong with it, but its hardware is not there), DeviceNotAvailable.
Expected<OpenedDriver> openDriver(const std::string &library, const std::vector<std::string> &own);

/// A text that the driver gives of a platform or a device; empty if it gives none.
std::string platformText(const DriverPlatform &platform, cl_platform_info what);
std::string deviceText(const DriverPlatform &platform, cl_device_id device, cl_device_info what);
/// A value of fixed size that the driver gives of a device; `otherwise` if it gives none.
template <class T>
T deviceValue(const DriverPlatform &platform, cl_device_id device, cl_device_info what, T otherwise = {}) {
  T value{};
  const cl_int code = platform.call->clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return code == CL_SUCCESS ? value : otherwise;
}
/// The devices of a platform, of every type.
Expected<std::vector<cl_device_id>> devicesOf(const DriverPlatform &platform);

} // namespace us::forward
