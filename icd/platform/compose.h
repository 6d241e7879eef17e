// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which devices exist: the one place where emulated and real devices are put together, for both APIs.
#pragma once

#include "runtime/base/options.h"
#include "runtime/base/ref.h"
#include "runtime/device/device.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace us::platform {

/// The process's devices, made at the first call and kept for its whole life; the first one is the default. Empty if
/// none could be made (a line of log says why).
const std::vector<Ref<Device>> &devices();

/// Those of an API that no driver is forwarded for: the emulated ones, also where real ones of another API stand in for
/// them; none if only real ones were asked for. What devices() lists of them are the same. No driver is asked.
const std::vector<Ref<Device>> &emulatedDevices();

/// Who answers programs of CUDA.
enum class CudaSide : uint8_t { Emulated, Real };
struct CudaSides {
  std::vector<CudaSide> order; ///< whose devices are listed, in their order; not empty
  std::string driver;          ///< the real driver's library, if it is among them: its absolute path
  int driverDevices = 0;       ///< how many it has, whichever of them the program may see
  /// A real driver's own libraries may be in the process, which mean that driver though the program does not.
  bool hasNeighbors = false;
};
/// Asked once. Where no driver can be, nothing but some files is looked for; else the driver is asked in a process of
/// its own, and whoever is broken is named on standard error.
const CudaSides &cudaSides();
/// Whether programs that are started with these options have a real driver's CUDA and no other, as far as that can be
/// said without asking a driver.
bool mayListRealCudaOnly(const Options &options);
/// Opens a real driver's libcuda by its absolute path, and keeps it open: dlopen's handle. Not one of our own.
Expected<void *> openCudaDriver(const std::string &library);

/// A driver whose platforms the program gets as they are.
struct PassedDriver {
  void *(*extension)(const char *name) = nullptr; ///< a function of the driver's
  std::vector<void *> platforms;                  ///< objects of the driver's
};
/// OpenCL's drivers for UNDERSTUDY_PASS_THROUGH, opened at the first call and never closed: those that
/// UNDERSTUDY_FORWARD names, else every GPU's. A line on standard error says why there is none.
const std::vector<PassedDriver> &passedDrivers();

/// The real devices that emulated ones can pretend to be: the words of UNDERSTUDY_DEVICE, and what they stand for.
std::vector<std::pair<std::string, std::string>> knownDevices();

/// InvalidValue if that is nothing UNDERSTUDY_DEVICES can say.
Expected<void> checkDeviceChoice(const std::string &text);

/// InvalidValue if UNDERSTUDY_DIFF or one of its companions says nothing that can be done.
Expected<void> checkComparison(const Options &options);

/// InvalidValue if emulated devices cannot make code for the processor that UNDERSTUDY_TARGET names.
Expected<void> checkTarget(const Options &options);

/// A driver of real devices, for a person.
struct DriverLine {
  std::string library, file; ///< the vendor's file that names it; may be empty
  std::string state;         ///< "used", or why not
  bool isBroken = false;     ///< somebody should see to it
  std::vector<std::string> platforms, devices;
};
/// What an OpenCL loader in this process opens.
struct SeenDriver {
  std::string file, library; ///< the vendor's file that names it; may be empty
  std::string problem;       ///< why it cannot; "it …"; empty: it can
  bool isOurs = false;
};
std::vector<SeenDriver> seenDrivers();

/// The nodes by which programs reach this machine's GPUs, as far as the kernel shows any.
std::vector<std::string> gpuNodes();

/// Every driver of either API that this machine's vendors name, or UNDERSTUDY_FORWARD: each is asked.
std::vector<DriverLine> drivers();

} // namespace us::platform
