// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/sides.h"

#include "icd/cuda/forward/neighbors.h"
#include "icd/cuda/forward/real_driver.h"
#include "icd/cuda/forward/route.h"
#include "icd/platform/compose.h"
#include "runtime/base/log.h"

#include <atomic>
#include <unistd.h>

namespace us::cuda {
namespace {

enum class Answers : uint8_t {
  Undecided,
  Emulated,
  EmulatedButNeighbors, ///< ours, but for calls that come from a real driver's own libraries
  Real,
  Both, ///< each call's arguments say who
};
std::atomic<Answers> answers{Answers::Undecided};

/// The process in which a thread decides; 0: none does.
std::atomic<pid_t> deciding{0};
thread_local constinit bool isDeciding = false;

/// What calls are told that come while nobody can say who answers: from what is opened meanwhile, or from a child that
/// was forked meanwhile, in which nobody will.
CUresult notInitialised() { return CUDA_ERROR_NOT_INITIALIZED; }

/// Entries are read by symbols' code at any time.
void setEntry(TableRow &function, void *target) { __atomic_store_n(&function.entry, target, __ATOMIC_RELEASE); }

bool openReal(const std::string &library) {
  const Expected<void> opened = openRealDriver(library);
  // It was good when it was asked in a process of its own.
  if (!opened) notice("the driver " + library + " is passed over: " + opened.error().message);
  return opened.has_value();
}

Answers decide() {
  const platform::CudaSides &sides = platform::cudaSides();
  const bool hasReal = !sides.driver.empty() && openReal(sides.driver);
  if (hasReal && sides.order.size() > 1) {
    readRoutes();
    return Answers::Both;
  }
  if (hasReal) {
    for (TableRow *function : functions()) setEntry(*function, function->forwarded);
    return Answers::Real;
  }
  if (sides.hasNeighbors) return Answers::EmulatedButNeighbors;
  for (TableRow *function : functions()) setEntry(*function, function->emulated);
  return Answers::Emulated;
}

/// Undecided where it will stay so.
Answers whoAnswers() {
  if (const Answers known = answers.load(std::memory_order_acquire); known != Answers::Undecided) return known;
  pid_t nobody = 0;
  const pid_t self = getpid();
  if (deciding.compare_exchange_strong(nobody, self)) {
    isDeciding = true;
    const Answers decided = decide();
    isDeciding = false;
    answers.store(decided, std::memory_order_release);
    answers.notify_all();
    return decided;
  }
  if (isDeciding || deciding.load() != self) return answers.load(std::memory_order_acquire);
  answers.wait(Answers::Undecided, std::memory_order_acquire);
  return answers.load(std::memory_order_acquire);
}

void *targetBesideNeighbors(TableRow &function, const CallFrame &frame) {
  const std::string &driver = driverOfNeighbor(frame.caller);
  if (driver.empty() || !openRealDriver(driver)) return function.emulated;
  return function.real;
}

} // namespace

void *targetOf(TableRow &function, CallFrame &frame) {
  switch (whoAnswers()) {
  case Answers::Undecided:
    return reinterpret_cast<void *>(&notInitialised);
  case Answers::Emulated:
    return function.emulated;
  case Answers::EmulatedButNeighbors:
    return targetBesideNeighbors(function, frame);
  case Answers::Real:
    return function.forwarded;
  case Answers::Both:
    return driverOfNeighbor(frame.caller).empty() ? routedTarget(function, frame) : function.real;
  }
  __builtin_unreachable();
}

} // namespace us::cuda
