// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ran: counted always (an addition each), written as JSON at process exit when UNDERSTUDY_SUMMARY asks for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace us::emulator {

struct Statistics {
  std::atomic<uint64_t> builds{0}; ///< compile and link calls that succeeded
  std::atomic<uint64_t> failedBuilds{0};
  std::atomic<uint64_t> programHits{0};                     ///< builds answered by the disk cache
  std::atomic<uint64_t> kernelsGenerated{0}, kernelHits{0}; ///< machine code made, machine code from the disk cache
  std::atomic<uint64_t> baselineGenerated{0};               ///< of what was made: baseline code
  std::atomic<uint64_t> launches{0}, failedLaunches{0};
  std::atomic<uint64_t> workItems{0};
  std::atomic<uint64_t> copies{0}, copiedBytes{0}, fills{0}, filledBytes{0};
};

/// The process's; never destroyed.
Statistics &statistics();

/// The number of launches of kernels of that name, to be counted up by whoever launches. Lives for ever.
std::atomic<uint64_t> &launchesOf(std::string_view kernel);
/// Devices that took part: their names.
void rememberDevice(std::string_view name);

/// The summary as one line of JSON.
std::string summaryText();

/// Arranges for the summary to be written at exit, if an option asks for one. Cheap to call again.
void armSummary();

} // namespace us::emulator
