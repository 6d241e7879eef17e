// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the emulated devices. All that others need of this folder.
#pragma once

#include "runtime/base/options.h"
#include "runtime/device/device.h"

#include <string>
#include <utility>
#include <vector>

namespace us::emulator {

/// The devices the options ask for: at least one. They share one memory account. Opens neither compiler nor threads.
std::vector<Ref<Device>> createDevices(const Options &options);

/// The words of UNDERSTUDY_DEVICE, and what each stands for.
std::vector<std::pair<std::string, std::string>> knownDevices();

/// Bytes of disk used by the cache, where it is, and how to empty it: for `understudy info`.
struct CacheReport {
  std::string directory; ///< empty: no cache
  uint64_t bytes = 0, entries = 0;
};
CacheReport cacheReport();

/// What ran so far, as one line of JSON (what UNDERSTUDY_SUMMARY writes at exit).
std::string summaryText();

} // namespace us::emulator
