// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/statistics.h"

#include "runtime/base/log.h"
#include "runtime/base/options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace us::emulator {
namespace {

struct Names {
  std::mutex mutex; ///< guards all below
  std::map<std::string, std::atomic<uint64_t>, std::less<>> launches;
  std::vector<std::string> devices;
};
Names &names() {
  static Names &instance = *new Names;
  return instance;
}

pid_t armedIn = 0;

/// Appended in one write: a program may start others, and each adds its lines.
void writeLine(const std::string &path, std::string text) {
  text += '\n';
  int file = path == "-" ? STDERR_FILENO : open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    log(LogLevel::Error, "the summary could not be written to " + path);
  if (file > STDERR_FILENO) close(file);
}

void writeSummary() {
  if (getpid() != armedIn) return; // a forked child ran nothing: its runtime is empty
  writeLine(options().summary, summaryText());
}

/// Bytes of the character that begins there; 0 if it is no UTF-8.
size_t characterAt(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const uint32_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t size = first >> 5 == 0x6 ? 2 : first >> 4 == 0xe ? 3 : first >> 3 == 0x1e ? 4 : 0;
  if (size == 0 || size > text.size()) return 0;
  uint32_t code = first & (0x7fu >> size);
  for (size_t at = 1; at < size; ++at) {
    if (byte(at) >> 6 != 2) return 0;
    code = code << 6 | (byte(at) & 0x3fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000}; // by size: no character has two spellings
  const bool isSurrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast[size] || code > 0x10ffff || isSurrogate ? 0 : size;
}

/// As a string of JSON. Names of kernels may hold any bytes: those of SPIR-V do.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const size_t size = characterAt(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (size == 0 || first < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", first);
      result += escape;
    } else {
      if (first == '"' || first == '\\') result += '\\';
      result += text.substr(0, size);
    }
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return result + '"';
}

} // namespace

Statistics &statistics() {
  static Statistics &instance = *new Statistics;
  return instance;
}

std::atomic<uint64_t> &launchesOf(std::string_view kernel) {
  Names &all = names();
  std::scoped_lock lock(all.mutex);
  auto at = all.launches.find(kernel);
  return at != all.launches.end() ? at->second : all.launches[std::string(kernel)];
}

void rememberDevice(std::string_view name) {
  Names &all = names();
  std::scoped_lock lock(all.mutex);
  all.devices.emplace_back(name);
}

std::string summaryText() {
  Statistics &all = statistics();
  const std::pair<const char *, const std::atomic<uint64_t> *> rows[] = {
      {"builds", &all.builds},
      {"failed_builds", &all.failedBuilds},
      {"program_cache_hits", &all.programHits},
      {"kernels_generated", &all.kernelsGenerated},
      {"baseline_generated", &all.baselineGenerated},
      {"kernel_cache_hits", &all.kernelHits},
      {"launches", &all.launches},
      {"failed_launches", &all.failedLaunches},
      {"work_items", &all.workItems},
      {"copies", &all.copies},
      {"copied_bytes", &all.copiedBytes},
      {"fills", &all.fills},
      {"filled_bytes", &all.filledBytes},
  };
  std::string text = "{\"process\": " + std::to_string(getpid());
  for (auto &[name, value] : rows)
    text += std::string(", \"") + name + "\": " + std::to_string(value->load(std::memory_order_relaxed));
  Names &listed = names();
  std::scoped_lock lock(listed.mutex);
  const char *separator = "";
  text += ", \"devices\": [";
  for (const std::string &device : listed.devices) {
    text += separator + quoted(device);
    separator = ", ";
  }
  separator = "";
  text += "], \"kernels\": {";
  for (auto &[kernel, launches] : listed.launches) {
    uint64_t count = launches.load(std::memory_order_relaxed);
    if (count == 0) continue;
    text += separator + quoted(kernel) + ": " + std::to_string(count);
    separator = ", ";
  }
  return text + "}}";
}

void armSummary() {
  static const bool armed = [] {
    armedIn = getpid();
    const std::string &path = options().summary;
    // A process that is killed writes nothing at its end: this line tells that it was there.
    if (!path.empty() && path != "-")
      writeLine(path, "{\"process\": " + std::to_string(armedIn) + ", \"began\": true}");
    return !path.empty() && std::atexit(writeSummary) == 0;
  }();
  (void)armed;
}

} // namespace us::emulator
