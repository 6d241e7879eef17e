// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/timeline.h"

#include "emulator/check/source_lines.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <fcntl.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/syscall.h>
#include <unistd.h>

namespace us::emulator {
namespace {

using Json = nlohmann::json;
/// Lines are written together: a write of a few does not cost more than one of one.
constexpr size_t kKept = 65536;
/// Lines of a source that are shown before the first one that ran, and between two.
constexpr uint32_t kBefore = 3, kBetween = 30;

Json event(const char *what, const std::string &name, Timeline::Span span) {
  return {{"what", what},    {"name", name},        {"begin", span.begin},
          {"end", span.end}, {"process", getpid()}, {"thread", syscall(SYS_gettid)}};
}

/// Of each line: how often it ran (where it is in several blocks, the most of them), and what it did.
Json linesOf(const Timeline::Launch &launch) {
  struct Sums {
    std::map<uint32_t, uint64_t> runs; ///< by copy
    uint64_t floatOperations = 0, integerOperations = 0, bytesRead = 0, bytesWritten = 0;
  };
  const auto *const counters = reinterpret_cast<const uint64_t *>(launch.counters);
  std::map<std::pair<std::string, uint32_t>, Sums> lines;
  for (const abi::CountedLine &one : launch.code->counted) {
    const uint64_t times = counters[one.counter];
    Sums &sums = lines[{one.file, one.line}];
    sums.runs[one.copy] = std::max(sums.runs[one.copy], times);
    sums.floatOperations += times * one.floatOperations;
    sums.integerOperations += times * one.integerOperations;
    sums.bytesRead += times * one.bytesRead;
    sums.bytesWritten += times * one.bytesWritten;
  }
  Json all = Json::array();
  const auto text = [&](const std::string &file, uint32_t line) {
    return check::lineOfProgram(launch.source, {.file = file, .line = line});
  };
  std::string file;
  uint32_t shown = 0;
  for (const auto &[place, sums] : lines) {
    // What stands between them, too, where it is little.
    if (place.first != file || place.second > shown + kBetween)
      shown = std::max(place.second, kBefore + 1) - kBefore - 1;
    while (++shown < place.second)
      all.push_back({{"file", place.first}, {"line", shown}, {"text", text(place.first, shown)}});
    file = place.first;
    uint64_t runs = 0;
    for (const auto &[copy, times] : sums.runs) runs += times;
    all.push_back({{"file", file},
                   {"line", place.second},
                   {"text", text(file, place.second)},
                   {"runs", runs},
                   {"float_operations", sums.floatOperations},
                   {"integer_operations", sums.integerOperations},
                   {"bytes_read", sums.bytesRead},
                   {"bytes_written", sums.bytesWritten}});
  }
  return all;
}

} // namespace

void Timeline::launch(const KernelRun &run, const Launch &launch) {
  Json line = event("launch", run.kernel, launch.span);
  line["device"] = launch.device;
  line["global"] = launch.globalSize;
  line["local"] = launch.localSize;
  line["tier"] = run.tier;
  for (const auto &[tier, reason] : run.obstacles) line["obstacles"][tier] = reason;
  line["vectors"] = launch.code->vectors;
  line["baseline"] = launch.code->baseline;
  line["sub_groups"] = launch.kernel->usesSubGroupSync;
  line["barriers"] = launch.kernel->usesBarrier;
  if (launch.counters) line["lines"] = linesOf(launch);
  write(line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Timeline::other(const char *what, const std::string &name, Span span, uint64_t bytes) {
  Json line = event(what, name, span);
  if (bytes) line["bytes"] = bytes;
  write(line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Timeline::write(const std::string &line) {
  std::unique_lock lock(mutex_);
  lines_ += line + "\n";
  if (lines_.size() < kKept) return;
  lock.unlock();
  flush();
}

void Timeline::flush() {
  std::scoped_lock lock(mutex_);
  if (lines_.empty()) return;
  // Appended: a program may start others, and each adds its lines.
  const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || ::write(file, lines_.data(), lines_.size()) != static_cast<ssize_t>(lines_.size()))
    log(LogLevel::Error, "the timeline could not be written to " + path_);
  if (file >= 0) close(file);
  lines_.clear();
}

} // namespace us::emulator
