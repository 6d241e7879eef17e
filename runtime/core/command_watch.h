// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/device/touched_range.h"

#include <vector>

namespace us::core {

/// Told how a command goes on, by whoever runs it (CommandRequest::watch). No lock of the core is held.
class CommandWatch : public Object {
public:
  /// All that it waits for has ended, and the device is about to get it. An error is how it ends instead.
  virtual Expected<void> begins() = 0;
  /// More is seen of it where it does not begin by itself as soon as it may, for a while.
  virtual bool mayBeginLate() const { return false; }
  /// Whether `touched` has to have all that a launch touches.
  virtual bool wantsTouched() const { return false; }
  /// Between the two: what a launch has touched, where somebody looks for races.
  virtual void touched(const std::vector<TouchedRange> & /*ranges*/) {}
  /// It has ended, and its event is about to say so; also of one that never began. A user event's, too.
  virtual void ends(bool hasSucceeded) = 0;
};

} // namespace us::core
