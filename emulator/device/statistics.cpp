// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/statistics.h"

#include "runtime/base/log.h"
#include "runtime/base/options.h"

#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <unistd.h>

namespace us::emulator {
namespace {

struct KernelNames {
  std::mutex mutex; ///< guards names
  std::set<std::string, std::less<>> names;
};
KernelNames &kernelNames() {
  static KernelNames &instance = *new KernelNames;
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

void rememberKernel(std::string_view name) {
  KernelNames &all = kernelNames();
  std::scoped_lock lock(all.mutex);
  if (all.names.find(name) == all.names.end()) all.names.emplace(name);
}

std::string summaryText() {
  Statistics &all = statistics();
  const std::pair<const char *, const std::atomic<uint64_t> *> rows[] = {
      {"devices", &all.devices},
      {"builds", &all.builds},
      {"failed_builds", &all.failedBuilds},
      {"program_cache_hits", &all.programHits},
      {"kernels_generated", &all.kernelsGenerated},
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
  text += ", \"kernels\": [";
  KernelNames &names = kernelNames();
  std::scoped_lock lock(names.mutex);
  bool first = true;
  for (const std::string &name : names.names) { // identifiers of OpenCL C: nothing in them needs quoting
    text += (first ? "\"" : ", \"") + name + "\"";
    first = false;
  }
  return text + "]}";
}

void armSummary() {
  static const bool armed = [] {
    armedIn = getpid();
    return !options().summary.empty() && std::atexit(writeSummary) == 0;
  }();
  (void)armed;
}

} // namespace us::emulator
