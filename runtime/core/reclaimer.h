// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reclaimer: when a device's memory is used up, makes pending commands give back what the application has released.
#pragma once

#include "runtime/base/ref.h"

#include <string>
#include <vector>

namespace us::core {

class Event;

class Reclaimer {
public:
  /// Flushes and waits for every pending command, of any queue, that holds a released buffer, unless it waits for the
  /// application (a user event, a native kernel). True if there was one: trying again may help.
  static bool reclaim();
  /// The unfinished commands of any queue that keep `object` alive, each named by what it does.
  static std::vector<std::string> commandsHolding(const Object &object);

private:
  static bool holdsReleased(const Event &event);
  static bool waitsForApplication(const Ref<Event> &event);
};

} // namespace us::core
