// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/statistics.h"

#include <algorithm>
#include <cstdio>

namespace us::emulator {
namespace {

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
std::string inQuotes(std::string_view text) {
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

std::atomic<uint64_t> &Statistics::launchesOf(std::string_view kernel) {
  std::scoped_lock lock(mutex_);
  auto at = launchesOf_.find(kernel);
  return at != launchesOf_.end() ? at->second : launchesOf_[std::string(kernel)];
}

void Statistics::rememberDevice(std::string_view name) {
  std::scoped_lock lock(mutex_);
  devices_.emplace_back(name);
}

void Statistics::countRun(KernelRun run, uint64_t nanoseconds) {
  std::scoped_lock lock(mutex_);
  Sums &sums = runs_[std::move(run)];
  ++sums.launches;
  sums.nanoseconds += nanoseconds;
}

std::string Statistics::text() const {
  const std::pair<const char *, const std::atomic<uint64_t> *> rows[] = {
      {"builds", &builds},
      {"failed_builds", &failedBuilds},
      {"program_cache_hits", &programHits},
      {"kernels_generated", &kernelsGenerated},
      {"baseline_generated", &baselineGenerated},
      {"kernel_cache_hits", &kernelHits},
      {"launches", &launches},
      {"failed_launches", &failedLaunches},
      {"work_items", &workItems},
      {"copies", &copies},
      {"copied_bytes", &copiedBytes},
      {"fills", &fills},
      {"filled_bytes", &filledBytes},
  };
  std::string text;
  for (auto &[name, value] : rows)
    text += (text.empty() ? "{\"" : ", \"") + std::string(name) +
            "\": " + std::to_string(value->load(std::memory_order_relaxed));
  std::scoped_lock lock(mutex_);
  const char *separator = "";
  text += ", \"devices\": [";
  for (const std::string &device : devices_) {
    text += separator + inQuotes(device);
    separator = ", ";
  }
  separator = "";
  text += "], \"kernels\": {";
  for (auto &[kernel, launches] : launchesOf_) {
    uint64_t count = launches.load(std::memory_order_relaxed);
    if (count == 0) continue;
    text += separator + inQuotes(kernel) + ": " + std::to_string(count);
    separator = ", ";
  }
  text += "}";
  separator = ", \"runs\": [";
  for (const auto &[run, sums] : runs_) {
    text += separator + ("{\"kernel\": " + inQuotes(run.kernel)) + ", \"tier\": " + inQuotes(run.tier) +
            ", \"launches\": " + std::to_string(sums.launches) +
            ", \"nanoseconds\": " + std::to_string(sums.nanoseconds) + ", \"obstacles\": {";
    for (const auto &[tier, reason] : run.obstacles)
      text += (&reason == &run.obstacles.front().second ? "" : ", ") + inQuotes(tier) + ": " + inQuotes(reason);
    text += "}}";
    separator = ", ";
  }
  return text + (runs_.empty() ? "}" : "]}");
}

} // namespace us::emulator
