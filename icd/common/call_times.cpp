// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/common/call_times.h"

#include "runtime/base/clock.h"
#include "runtime/base/options.h"

#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace us::icd {
namespace {

/// Lines are written together.
constexpr size_t kKept = 65536;

class CallTimes {
public:
  /// Never destroyed: functions are called while the process ends.
  static CallTimes &instance() {
    static CallTimes &all = *new CallTimes;
    return all;
  }

  void add(const char *function, uint64_t began) {
    const uint64_t ended = monotonicNanoseconds();
    const std::scoped_lock lock(mutex_);
    lines_ += R"({"what":"call","name":")";
    lines_ += function;
    lines_ += R"(","begin":)" + std::to_string(began) + R"(,"end":)" + std::to_string(ended) + R"(,"process":)" +
              std::to_string(getpid()) + R"(,"thread":)" + std::to_string(syscall(SYS_gettid)) + "}\n";
    if (lines_.size() >= kKept || isEnding_) write();
  }

private:
  CallTimes() {
    std::atexit([] {
      const std::scoped_lock lock(instance().mutex_);
      instance().isEnding_ = true;
      instance().write();
    });
  }

  void write() {
    // Appended: others write to it, too.
    const int file = open(options().timeline.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file >= 0) {
      (void)!::write(file, lines_.data(), lines_.size());
      close(file);
    }
    lines_.clear();
  }

  std::mutex mutex_; ///< guards what follows
  std::string lines_;
  bool isEnding_ = false;
};

} // namespace

void noteCall(const char *function, uint64_t began) noexcept {
  try {
    CallTimes::instance().add(function, began);
  } catch (...) {
    return;
  }
}

} // namespace us::icd
