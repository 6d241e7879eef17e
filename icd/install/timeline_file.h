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

struct TimedEvent {
  std::string what;            ///< launch, build, code, copy, fill
  std::string name;            ///< of a launch the kernel's
  uint64_t begin = 0, end = 0; ///< nanoseconds, of a clock that only goes forwards
  uint64_t process = 0, thread = 0;
  uint64_t bytes = 0; ///< of copies and fills
  // Of launches
  std::string device, tier;
  std::map<std::string, std::string> obstacles; ///< each faster tier, and why it was not that
  std::array<uint64_t, 3> globalSize{}, localSize{};
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
