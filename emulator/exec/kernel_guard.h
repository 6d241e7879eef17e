// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands between a thread and the kernel it runs: the way out when the kernel faults, traps or is interrupted, and
// the floating-point modes of the host, which the kernel neither sees nor changes.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace us::exec {

class WorkGroup;

/// How a call of a kernel ended.
enum class Leave : int { Returned = 0, Fault, Trap, Deadlock, Aborted, NoStack, NoProgress };

/// A fault, as the signal told it.
struct Fault {
  int signal = 0;
  uint64_t pc = 0;
  uint64_t address = 0; ///< for SIGSEGV and SIGBUS
  bool addressKnown = false, write = false;
};

/// One per thread that runs kernels, on its own stack; the newest is the one that counts (a native callback may nest).
class KernelGuard {
public:
  /// Prepares the thread: floating-point modes become the default. `abortWord` non-zero lets the kernel be interrupted.
  explicit KernelGuard(const uint32_t *abortWord);
  ~KernelGuard();
  KernelGuard(const KernelGuard &) = delete;
  KernelGuard &operator=(const KernelGuard &) = delete;

  /// Calls function(argument) as code of a kernel, on the group's stack.
  Leave call(void (*function)(void *), void *argument, const WorkGroup &group);
  /// Ends the call in progress from inside it, on whatever stack.
  [[noreturn]] void leave(Leave how);
  /// The same from a signal handler that came when `mask` was the thread's.
  [[noreturn]] void leaveHandler(Leave how, const sigset_t &mask);

  /// While true the kernel is inside a runtime function that must not be left from outside.
  void setInRuntime(bool in) { inRuntime_ = in; }
  const Fault &fault() const { return fault_; }

private:
  friend struct SignalHandlers;
  void *resume_ = nullptr;
  const uint32_t *const abortWord_;
  KernelGuard *const outer_;
  const WorkGroup *group_ = nullptr;
  bool setsMask_ = false; ///< a signal handler was left
  sigset_t mask_;         ///< as it was before
  volatile bool inside_ = false, inRuntime_ = false;
  Fault fault_;
  /// The thread's own stack, for the sanitizers.
  void *hostThreadFiber_ = nullptr;
  void *jump_ = nullptr;
  const void *hostBottom_ = nullptr;
  size_t hostSize_ = 0;
  struct Entered;
  static void enter(void *entered);
  uint32_t mxcsr_;
  uint16_t controlWord_;
};

} // namespace us::exec
