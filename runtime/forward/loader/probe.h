// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks a driver which devices it has, in a process of its own: one that crashes or hangs there does no harm here.
#pragma once

#include "runtime/forward/loader/vendor_files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace us::forward {

struct DriverDevice {
  uint64_t type = 0; ///< bits of cl_device_type
  std::string name, driverVersion;
  /// A GPU or an accelerator, and not the processors that run us.
  bool accelerates() const;
};

/// What is known of a driver before it is opened in this process.
struct DriverReport {
  std::string file, library; ///< the vendor's file, if there is one; the library's absolute path once it is known
  std::string problem;       ///< why it is passed over; empty: it can be used
  bool isQuiet = false;      ///< nobody has to be told: it is ourselves, or its hardware is not there
  std::vector<std::string> platforms; ///< "name, version" of each; of CUDA "CUDA 13.0"
  std::vector<DriverDevice> devices;
};

struct ProbeSettings {
  std::string program;           ///< understudy-driver-probe; empty: the one beside our library
  uint64_t milliseconds = 10000; ///< after which the driver is passed over; 0: never
  std::vector<std::string> own;  ///< fileIdentity of what must not be asked; empty: of our own libraries
  DriverApi api = DriverApi::OpenCl;
  bool isUnfiltered = false; ///< all devices are counted, also those that CUDA_VISIBLE_DEVICES hides
};

/// Waits no longer than the settings say, and never fails: what is wrong is the report's problem.
DriverReport probe(const Candidate &candidate, const ProbeSettings &settings);

/// "the driver /…/libfoo.so (/etc/OpenCL/vendors/foo.icd) is passed over: it …"
std::string sentenceOf(const DriverReport &report);

} // namespace us::forward
