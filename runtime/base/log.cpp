// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/log.h"

#include "runtime/base/options.h"

#include <cstdio>
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
} // namespace

bool logs(LogLevel level) {
  static const int wanted = wantedLevel();
  return static_cast<int>(level) <= wanted;
}

void log(LogLevel level, std::string_view message) {
  if (!logs(level)) return;
  // One write per line, so that lines of several threads do not mix.
  std::string line = "understudy: ";
  line.append(message).push_back('\n');
  std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace us
