// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reclaimer: when a device's memory is used up, makes pending commands give back what the application has released.
#pragma once

namespace us::core {

class Reclaimer {
public:
  /// Flushes and waits for every pending command, of any queue, that holds a released buffer, unless it waits for the
  /// application (a user event, a native kernel). True if there was one: trying again may help.
  static bool reclaim();
};

} // namespace us::core
