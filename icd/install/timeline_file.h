// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program and its children did and when, from the lines of UNDERSTUDY_TIMELINE.
#pragma once

#include "runtime/base/expected.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace us::install {

/// A line of a kernel's source: how often it ran and what it did, in all work-items of a launch.
struct TimedLine {
  std::string file, text;
  uint32_t line = 0;
  bool isCounted = false; ///< else there is no code of it
  uint64_t runs = 0, floatOperations = 0, integerOperations = 0, bytesRead = 0, bytesWritten = 0;
};

struct TimedEvent {
  std::string what;            ///< launch, build, code, copy, fill, call
  std::string name;            ///< of a launch the kernel's, of a call the function's
  uint64_t begin = 0, end = 0; ///< nanoseconds, of a clock that only goes forwards
  uint64_t process = 0, thread = 0;
  uint64_t bytes = 0; ///< of copies and fills
  // Of launches
  std::string device, tier;
  std::map<std::string, std::string> obstacles; ///< each faster tier, and why it was not that
  std::array<uint64_t, 3> globalSize{}, localSize{};
  std::string vectors; ///< that most of the code calculates with; empty: none
  bool isBaseline = false, usesSubGroups = false, usesBarriers = false;
  std::vector<TimedLine> lines; ///< of one that counted
};

class TimelineFile {
public:
  /// Makes an empty file and points UNDERSTUDY_TIMELINE to it.
  Expected<void> start();
  /// Reads and removes the file: events in the order in which they began.
  Expected<std::vector<TimedEvent>> finish();

private:
  std::string path_;
};

} // namespace us::install
