// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A limit on the time that work on this thread takes. Nobody can end a thread from outside, so the work itself asks at
// each of its steps, which cost nothing where there is no limit.
#pragma once

#include <cstdint>

namespace us {

class WorkLimit {
public:
  /// `milliseconds` from now on, 0: without end. `leave` is called by the first step after that, and does not return.
  WorkLimit(uint64_t milliseconds, void (*leave)());
  ~WorkLimit();
  WorkLimit(const WorkLimit &) = delete;
  WorkLimit &operator=(const WorkLimit &) = delete;

private:
  friend void workStep();
  friend bool workIsLimited();
  uint64_t deadline_; ///< nanoseconds
  void (*leave_)();
  WorkLimit *outer_;
};

/// True where steps are worth arranging for.
bool workIsLimited();
/// A place where the work may be left for good: with no lock held, and nothing that must be undone.
void workStep();

} // namespace us
