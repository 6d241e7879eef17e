// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends launches from outside: at a time limit, at Ctrl-C, or because another thread of the same launch failed. Kernels
// need no polling for it: a thread is sent a signal until it leaves.
#pragma once

#include <cstdint>
#include <mutex>
#include <pthread.h>

namespace us::exec {

/// A thread that runs kernels of a launch; lives on its stack.
struct Participant {
  pthread_t thread = pthread_self();
  Participant *next = nullptr;
};

/// A launch as the watchdog sees it.
class Watched {
public:
  /// The time limit has passed, or Ctrl-C was pressed: sets the abort word.
  virtual void timeLimitPassed() = 0;
  virtual void interrupted() = 0;

  /// The calling thread begins or ends to run kernels of this launch; the latter tells whether others still do.
  void enter(Participant &self);
  bool exit(Participant &self);

protected:
  ~Watched() = default;

private:
  friend struct Watchdog;
  friend void watch(Watched &, uint64_t);
  friend void endSoon(Watched &);
  friend void unwatch(Watched &);
  void interruptAll();
  std::mutex mutex_; ///< guards participants_
  Participant *participants_ = nullptr;
  uint64_t deadline_ = ~0ull; ///< nanoseconds; guarded by the watchdog's mutex, as are the next two
  bool ending_ = false, watched_ = false;
};

/// From now on until unwatch(): ends the launch after `milliseconds` (0: no limit) or at Ctrl-C.
void watch(Watched &launch, uint64_t milliseconds);
/// Its abort word is set: interrupts its threads until unwatch(). May be called without watch().
void endSoon(Watched &launch);
/// Required after either, before the launch is destroyed and after its last thread has left; else does nothing.
void unwatch(Watched &launch);

} // namespace us::exec
