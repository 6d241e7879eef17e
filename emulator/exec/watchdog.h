// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends launches from outside: at a time limit, at Ctrl-C, or because another thread of the same launch failed. Kernels
// need no polling for it: a thread is sent a signal until it leaves.
#pragma once

#include "emulator/exec/signals.h"
#include "runtime/base/short_lock.h"

#include <cstdint>

namespace us::exec {

class Participant;

/// A launch as the watchdog sees it.
class Watched {
public:
  /// The time limit has passed, or Ctrl-C was pressed: sets the abort word.
  virtual void timeLimitPassed() = 0;
  virtual void interrupted() = 0;

  /// Some thread runs kernels of this launch.
  bool hasParticipants();

protected:
  ~Watched() = default;

private:
  friend class Participant;
  friend struct Watchdog;
  friend void watch(Watched &, uint64_t, bool);
  friend void endSoon(Watched &);
  friend void unwatch(Watched &);
  void interruptAll();
  ShortLock mutex_; ///< guards participants_
  Participant *participants_ = nullptr;
  uint64_t deadline_ = ~0ull; ///< nanoseconds; guarded by the watchdog's mutex, as are the next three
  bool ending_ = false, watched_ = false, interruptible_ = false;
};

/// The calling thread runs kernels of a launch as long as this lives.
class Participant {
public:
  explicit Participant(Watched &launch);
  ~Participant();
  Participant(const Participant &) = delete;
  Participant &operator=(const Participant &) = delete;

private:
  friend class Watched;
  Watched &launch_;
  Interruptible &thread_ = interruptibleThread();
  Participant *next_ = nullptr;
};

/// From now on until unwatch(): ends the launch after `milliseconds` (0: no limit), or at Ctrl-C if it is
/// `interruptible`.
void watch(Watched &launch, uint64_t milliseconds, bool interruptible);
/// Its abort word is set: interrupts its threads until unwatch(). May be called without watch().
void endSoon(Watched &launch);
/// Required after either, before the launch is destroyed and after its last thread has left; else does nothing.
void unwatch(Watched &launch);

} // namespace us::exec
