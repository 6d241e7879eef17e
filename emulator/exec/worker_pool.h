// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that help; whose they are, is in worker_threads.h.
#pragma once

namespace us::exec {

struct Invitation {
  unsigned threads = 1; ///< of the pool, with a caller: as many may be at work together
  unsigned awake = 0;   ///< of the workers that wait awake, so many may come
  unsigned anyway = 0;  ///< others are woken, or started, until so many come
  void (*function)(void *) = nullptr;
  void *argument = nullptr;
};

/// Of the thread, if it is a worker, from 1: as long as it lives no other has the number, and the lowest that is free
/// is given to the next. 0 for other threads.
unsigned workerNumber() noexcept;

/// Some workers wait awake: to ask them takes next to nothing.
bool workersAreAwake() noexcept;

/// Asks workers to call the function once each, soon. Returns how many will, `awake` at most: those that have no time,
/// that there is no memory for, or no threads, do not. Workers are the process's; they start when asked for and are
/// never joined: process exit just ends them. Never called in a forked child.
unsigned inviteWorkers(const Invitation &invitation) noexcept;

} // namespace us::exec
