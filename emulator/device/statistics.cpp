// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/statistics.h"

#include "runtime/base/log.h"
#include "runtime/base/options.h"

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

void writeSummary() {
  if (getpid() != armedIn) return; // a forked child ran nothing: its runtime is empty
  const std::string &path = options().summary;
  std::string text = summaryText() + "\n";
  // Appended in one write: a program may start others, and each adds its line.
  int file = path == "-" ? STDERR_FILENO : open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    log(LogLevel::Error, "the summary could not be written to " + path);
  if (file > STDERR_FILENO) close(file);
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
  // Names of devices and identifiers of OpenCL C: nothing in them needs quoting.
  const char *separator = "";
  text += ", \"devices\": [";
  for (const std::string &device : listed.devices) {
    text += separator + ("\"" + device + "\"");
    separator = ", ";
  }
  separator = "";
  text += "], \"kernels\": {";
  for (auto &[kernel, launches] : listed.launches) {
    uint64_t count = launches.load(std::memory_order_relaxed);
    if (count == 0) continue;
    text += separator + ("\"" + kernel + "\": ") + std::to_string(count);
    separator = ", ";
  }
  return text + "}}";
}

void armSummary() {
  static const bool armed = [] {
    armedIn = getpid();
    return !options().summary.empty() && std::atexit(writeSummary) == 0;
  }();
  (void)armed;
}

} // namespace us::emulator
