// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/llvm_guard.h"

#include "runtime/base/work_limit.h"

#include <llvm/Support/ErrorHandling.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>

namespace us::frontend {
namespace {

struct Escape {
  jmp_buf target;
  char reason[1024];
  uint64_t timeLimit; ///< milliseconds
};

thread_local Escape *currentEscape = nullptr;

/// LLVM calls this without holding a lock, and expects it not to return.
void leave(void *, const char *reason, bool) {
  Escape *escape = currentEscape;
  if (!escape) return; // not ours: LLVM ends the process, as it would without us
  std::strncpy(escape->reason, reason ? reason : "", sizeof escape->reason - 1);
  longjmp(escape->target, 1);
}

/// Called at a step of the work.
void giveUp() {
  Escape *const escape = currentEscape;
  std::snprintf(escape->reason, sizeof escape->reason,
                "it took longer than the %llu milliseconds that UNDERSTUDY_COMPILE_LIMIT allows",
                static_cast<unsigned long long>(escape->timeLimit));
  longjmp(escape->target, 1);
}

void installOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(leave);
    llvm::install_bad_alloc_error_handler(leave);
  });
}

} // namespace

std::string runGuarded(const std::function<void()> &work, uint64_t timeLimit) {
  installOnce();
  // On the heap: a local variable's value would be indeterminate after the jump.
  auto *const escape = new Escape{.target = {}, .reason = {}, .timeLimit = timeLimit};
  const WorkLimit limit(timeLimit, giveUp);
  Escape *const outer = currentEscape;
  std::string reason;
  if (_setjmp(escape->target) == 0) {
    currentEscape = escape;
    try {
      work();
    } catch (const std::exception &exception) { // of the standard library, for want of memory
      reason = exception.what();
    }
  } else {
    reason = escape->reason[0] != '\0' ? escape->reason : "a fatal error without a reason";
  }
  currentEscape = outer;
  delete escape;
  return reason;
}

} // namespace us::frontend
