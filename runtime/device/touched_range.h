// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace us {

/// Bytes of global memory, and what a command did with them.
struct TouchedRange {
  uint64_t begin = 0, end = 0; ///< addresses
  bool reads = false, writes = false;
  bool isAtomic = false; ///< by atomic operations, too, or only
};

} // namespace us
