// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/progress.h"

#include "runtime/base/clock.h"

#include <cstdio>
#include <unistd.h>

namespace us::exec {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
/// Launches that end sooner say nothing.
constexpr uint64_t kLong = 2 * kSecond;
constexpr uint64_t kBetween = kSecond / 2;

/// Asked once: it is a call of the kernel, a third of what a small launch costs.
bool isTerminal() {
  static const bool is = isatty(STDERR_FILENO) != 0;
  return is;
}

/// In one write, so that lines of several launches do not mix.
void writeLine(const std::string &text) { (void)!write(STDERR_FILENO, text.data(), text.size()); }

} // namespace

bool Progress::isShown(bool wanted) { return wanted && isTerminal(); }

Progress::Progress(std::string_view kernel, bool wanted)
    : kernel_(kernel), isShown_(isShown(wanted)), began_(isShown_ ? monotonicNanoseconds() : 0), next_(began_ + kLong) {
}

Progress::~Progress() {
  if (!isShown_) return;
  const std::scoped_lock lock(mutex_);
  if (written_) writeLine("\r\033[K");
}

std::string Progress::text(std::string_view kernel, uint64_t done, uint64_t groups, uint64_t nanoseconds) {
  std::string line = "understudy: '" + std::string(kernel.substr(0, 40)) + "': " + std::to_string(done) + " of " +
                     std::to_string(groups) + " work-groups";
  if (done == 0 || done > groups) return line;
  const double left = double(nanoseconds) * (double(groups - done) / double(done)) / kSecond;
  char time[40];
  if (left < 120)
    std::snprintf(time, sizeof time, "%.0f s", left);
  else if (left < 2.0 * 3600)
    std::snprintf(time, sizeof time, "%.0f min", left / 60);
  else
    std::snprintf(time, sizeof time, "%.0f h", left / 3600);
  return line + ", about " + time + " left";
}

void Progress::count(uint64_t groups, uint64_t all) {
  const uint64_t done = done_.fetch_add(groups, std::memory_order_relaxed) + groups, now = monotonicNanoseconds();
  if (now < next_.load(std::memory_order_relaxed) || done >= all) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || now < next_.load(std::memory_order_relaxed)) return;
  next_.store(now + kBetween, std::memory_order_relaxed);
  written_ = true;
  writeLine("\r" + text(kernel_, done, all, now - began_) + "\033[K");
}

} // namespace us::exec
