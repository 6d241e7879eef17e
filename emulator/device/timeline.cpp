// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/timeline.h"

#include "runtime/base/log.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/syscall.h>
#include <unistd.h>

namespace us::emulator {
namespace {

using Json = nlohmann::json;
/// Lines are written together: a write of a few does not cost more than one of one.
constexpr size_t kKept = 65536;

Json event(const char *what, const std::string &name, Timeline::Span span) {
  return {{"what", what},    {"name", name},        {"begin", span.begin},
          {"end", span.end}, {"process", getpid()}, {"thread", syscall(SYS_gettid)}};
}

} // namespace

void Timeline::launch(const KernelRun &run, const std::string &device, Span span, const Size3 &globalSize,
                      const Size3 &localSize) {
  Json line = event("launch", run.kernel, span);
  line["device"] = device;
  line["global"] = globalSize;
  line["local"] = localSize;
  line["tier"] = run.tier;
  for (const auto &[tier, reason] : run.obstacles) line["obstacles"][tier] = reason;
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
