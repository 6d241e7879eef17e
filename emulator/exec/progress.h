// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line at the terminal that says how far a long launch is.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace us::exec {

class Progress {
public:
  Progress(std::string_view kernel, bool wanted); ///< as isShown
  ~Progress();                                    ///< takes the line away
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// `wanted`, and standard error is a terminal.
  static bool isShown(bool wanted);

  /// So many groups have ended, of `all`. By any thread, not in a kernel.
  void ended(uint64_t groups, uint64_t all) {
    if (isShown_) [[unlikely]]
      count(groups, all);
  }
  /// "understudy: 'k': 50 of 200 work-groups, about 12 s left"
  static std::string text(std::string_view kernel, uint64_t done, uint64_t groups, uint64_t nanoseconds);

private:
  void count(uint64_t groups, uint64_t all);

  const std::string_view kernel_;
  const bool isShown_;
  const uint64_t began_;
  std::atomic<uint64_t> done_{0}, next_; ///< when the line is written again
  std::mutex mutex_;                     ///< held while it is
  bool written_ = false;                 ///< guarded by mutex_
};

} // namespace us::exec
