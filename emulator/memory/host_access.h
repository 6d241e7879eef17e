// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the host may not touch for a while. Host and kernels have one address space here, and so the pages are
// opened while a command runs: what the host does just then goes unnoticed. Launches run late
// (docs/decisions/0003-lazy-submission.md), so that little is missed.
#pragma once

#include <atomic>
#include <cstdint>

namespace us::memory {

/// There is one more piece of such memory, or one less (-1). While there is any, commands are counted.
void countRestrictable(int change);
/// Whole pages of a device's memory; `reason` is not copied. Null: the host may touch them again. Who touches them
/// meanwhile is told on standard error, and has the signal that the system sends.
void restrictHostAccess(uint64_t begin, uint64_t size, const char *reason);

/// A command runs while one of these lives.
class CommandWindow {
public:
  CommandWindow() : counts_(restrictable.load(std::memory_order_relaxed) != 0) {
    if (counts_) enter();
  }
  ~CommandWindow() {
    if (counts_) leave();
  }
  CommandWindow(const CommandWindow &) = delete;
  CommandWindow &operator=(const CommandWindow &) = delete;

private:
  friend void countRestrictable(int);
  static void enter();
  static void leave();
  static std::atomic<int> restrictable;
  const bool counts_;
};

} // namespace us::memory
