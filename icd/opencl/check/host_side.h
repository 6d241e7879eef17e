// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own memory that a command transfers from or to.
#pragma once

#include "runtime/base/geometry.h"

#include <cstddef>
#include <cstdint>

namespace us::opencl {

struct HostSide {
  const std::byte *memory = nullptr;
  PitchedLayout layout; ///< of a box; counted from `memory`
  Size3 region{0, 1, 1};
  bool isWritten = false;

  bool overlaps(const HostSide &other) const;
};

/// What lies there, as a number; it is looked at in a way that does not fault where no memory is.
struct HostContents {
  enum class State : uint8_t { Known, Gone, Unknown };
  State state = State::Unknown; ///< Unknown: the system does not let us look
  uint64_t hash = 0;
};
HostContents contentsOf(const HostSide &side);
/// Some of it is no memory any more.
bool isGone(const HostSide &side);

} // namespace us::opencl
