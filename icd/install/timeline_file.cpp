// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/timeline_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace us::install {
namespace {

using Parsed = nlohmann::json;

TimedEvent eventOf(const Parsed &line) {
  TimedEvent event{.what = line.at("what"),
                   .name = line.at("name"),
                   .begin = line.at("begin"),
                   .end = line.at("end"),
                   .process = line.at("process"),
                   .thread = line.at("thread"),
                   .bytes = line.value("bytes", uint64_t{0}),
                   .device = line.value("device", ""),
                   .tier = line.value("tier", ""),
                   .obstacles = {},
                   .globalSize = line.value("global", std::array<uint64_t, 3>{}),
                   .localSize = line.value("local", std::array<uint64_t, 3>{}),
                   .vectors = line.value("vectors", ""),
                   .isBaseline = line.value("baseline", false),
                   .usesSubGroups = line.value("sub_groups", false),
                   .usesBarriers = line.value("barriers", false),
                   .lines = {}};
  for (const Parsed &one : line.value("lines", Parsed::array()))
    event.lines.push_back({.file = one.at("file"),
                           .text = one.at("text"),
                           .line = one.at("line"),
                           .isCounted = one.contains("runs"),
                           .runs = one.value("runs", uint64_t{0}),
                           .floatOperations = one.value("float_operations", uint64_t{0}),
                           .integerOperations = one.value("integer_operations", uint64_t{0}),
                           .bytesRead = one.value("bytes_read", uint64_t{0}),
                           .bytesWritten = one.value("bytes_written", uint64_t{0})});
  if (line.contains("obstacles")) event.obstacles = line["obstacles"].get<std::map<std::string, std::string>>();
  return event;
}

} // namespace

Expected<void> TimelineFile::start() {
  char path[] = "/tmp/understudy-timeline-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return fail(ErrorCode::OutOfResources, std::string("no temporary file: ") + std::strerror(errno));
  close(file);
  path_ = path;
  setenv("UNDERSTUDY_TIMELINE", path, 1);
  return {};
}

Expected<std::vector<TimedEvent>> TimelineFile::finish() {
  std::vector<TimedEvent> events;
  {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const Parsed record = Parsed::parse(line, nullptr, false);
      try {
        events.push_back(eventOf(record));
      } catch (const Parsed::exception &) {
        return fail(ErrorCode::Internal, "a line of the timeline cannot be read: " + line);
      }
    }
  }
  unlink(path_.c_str());
  // What lasts longer is around what begins with it.
  std::ranges::stable_sort(events, {}, [](const TimedEvent &event) { return std::pair(event.begin, ~event.end); });
  return events;
}

} // namespace us::install
