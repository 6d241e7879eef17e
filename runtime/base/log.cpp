// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/log.h"

#include "runtime/base/options.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <string>

namespace us {
namespace {
int wantedLevel() {
  const std::string &text = options().log;
  if (text == "debug") return 2;
  if (text == "info") return 1;
  if (text == "error") return 0;
  return -1;
}

/// One write per line, so that lines of several threads do not mix.
void write(std::string_view message) {
  std::string line = "understudy: ";
  line.append(message).push_back('\n');
  std::fwrite(line.data(), 1, line.size(), stderr);
}
} // namespace

bool logs(LogLevel level) {
  static const int wanted = wantedLevel();
  return static_cast<int>(level) <= wanted;
}

void log(LogLevel level, std::string_view message) {
  if (logs(level)) write(message);
}

void notice(std::string_view message) {
  static constexpr size_t kMost = 8; // a kernel that fails a thousand times is one piece of news
  static std::mutex &mutex = *new std::mutex;
  static std::set<std::string, std::less<>> &written = *new std::set<std::string, std::less<>>; // guarded by mutex
  if (logs(LogLevel::Error)) return write(message);
  if (!options().log.empty()) return;
  std::lock_guard lock(mutex);
  if (written.size() > kMost || written.contains(message)) return;
  written.emplace(message);
  write(written.size() <= kMost ? message : "there are more failures than these; UNDERSTUDY_LOG=error shows all");
}

} // namespace us
