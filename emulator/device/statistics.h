// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an engine's devices ran: counted always (an addition each), written as JSON where UNDERSTUDY_SUMMARY asks for
// it.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace us::emulator {

/// A way in which a kernel ran.
struct KernelRun {
  std::string kernel, tier;
  std::vector<std::pair<std::string, std::string>> obstacles; ///< each faster tier, and why it was not that
  auto operator<=>(const KernelRun &) const = default;
};

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

  /// A launch, for SUMMARY_DETAIL=kernels.
  void countRun(KernelRun run, uint64_t nanoseconds);

  /// The summary as one line of JSON.
  std::string text() const;

private:
  mutable std::mutex mutex_; ///< guards all below
  std::map<std::string, std::atomic<uint64_t>, std::less<>> launchesOf_;
  std::vector<std::string> devices_;
  struct Sums {
    uint64_t launches = 0, nanoseconds = 0;
  };
  std::map<KernelRun, Sums> runs_;
};

} // namespace us::emulator
