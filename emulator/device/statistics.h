// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an engine's devices ran: counted always (an addition each), written as JSON where UNDERSTUDY_SUMMARY asks for
// it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace us::emulator {

class Statistics {
public:
  std::atomic<uint64_t> builds{0}; ///< compile and link calls that succeeded
  std::atomic<uint64_t> failedBuilds{0};
  std::atomic<uint64_t> programHits{0};                     ///< builds answered by the disk cache
  std::atomic<uint64_t> kernelsGenerated{0}, kernelHits{0}; ///< machine code made, machine code from the disk cache
  std::atomic<uint64_t> baselineGenerated{0};               ///< of what was made: baseline code
  std::atomic<uint64_t> launches{0}, failedLaunches{0};
  std::atomic<uint64_t> workItems{0};
  std::atomic<uint64_t> copies{0}, copiedBytes{0}, fills{0}, filledBytes{0};

  /// The number of launches of kernels of that name, to be counted up by whoever launches. Lives as long as this.
  std::atomic<uint64_t> &launchesOf(std::string_view kernel);
  /// Devices that took part: their names.
  void rememberDevice(std::string_view name);

  /// The summary as one line of JSON.
  std::string text() const;

private:
  mutable std::mutex mutex_; ///< guards the two below
  std::map<std::string, std::atomic<uint64_t>, std::less<>> launchesOf_;
  std::vector<std::string> devices_;
};

} // namespace us::emulator
