// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices whose launches run a second time on another device, and what comes out is compared. All that others need of
// this folder.
#pragma once

#include "runtime/compare/judgement.h"
#include "runtime/device/device.h"

#include <string>
#include <utility>
#include <vector>

namespace us::compare {

struct ComparisonRules {
  Tolerance tolerance = {};
  /// Where the candidate differs, the reference runs again, so often at most: what it does not repeat is not compared.
  uint64_t repetitions = 2;
  std::string report = {}; ///< a file that each launch adds a line of JSON to; empty: standard error
};

/// Two devices for the same programs.
struct DevicePair {
  Ref<Device> reference; ///< whose results the program sees
  Ref<Device> candidate; ///< runs the same launches from the same inputs

  /// An address of the one is one of the other.
  bool sharesMemory() const { return reference->info().sharesHostMemory && candidate->info().sharesHostMemory; }
};

/// For each pair a device that is the reference to whoever uses it. They belong together, as their memory may.
std::vector<Ref<Device>> comparedDevices(const std::vector<DevicePair> &pairs, const ComparisonRules &rules);

} // namespace us::compare
