// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What signals mean for a thread that is inside a kernel or the compiler. The handlers are those of
// runtime/base/signal_handlers.h: everything else goes to whoever was there before.
#pragma once

#include "runtime/device/finding.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <pthread.h>
#include <string>

namespace us::exec {

class KernelGuard;
struct Fault;

/// Makes `guard` the calling thread's and returns the one before. The first time it installs the handlers and gives the
/// thread an alternate signal stack, unless it has one that is large enough; later it looks now and then whether they
/// are still there, and whether the thread has blocked a signal that we need.
KernelGuard *enterKernels(KernelGuard *guard);
void leaveKernels(KernelGuard *outer);

/// Says in `finding` what a fault was: its kind, the address and what is there.
void describeFault(const Fault &fault, Finding &finding);

/// Code outside the JIT's range that kernels call and that may fault on their behalf. Known already: our own library,
/// the C library and its mathematics.
void addHelperCode(const void *begin, const void *end);

/// A thread as interruptKernel() sees it.
struct Interruptible {
  const pthread_t thread = pthread_self();
  std::atomic<uint32_t> asked{0}; ///< a signal is on its way
};
Interruptible &interruptibleThread();

/// Asks a thread that is inside a kernel whose abort word is set to leave it. Works only while the thread executes
/// generated code: ask again a little later; nothing piles up. The thread must be alive.
void interruptKernel(Interruptible &target);

/// Lets Ctrl-C call `interrupt` (from a signal handler!) while `busy` says that kernels run; otherwise, and when it
/// comes again within two seconds, whoever handled it before gets it. Once per process.
void watchCtrlC(bool (*busy)(), void (*interrupt)());

/// Runs part of the compiler on the calling thread. False if it crashed: `sentence` says how, and whatever it held
/// (memory, its own locks) is lost.
bool guardedCompiler(const std::function<void()> &function, std::string &sentence);

/// Keeps the host's signals away from a thread that is not its own while it works for us: blocks all but faults.
class HostSignalsBlocked {
public:
  HostSignalsBlocked();
  ~HostSignalsBlocked();

private:
  sigset_t before_;
};

} // namespace us::exec
