// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checked code compares addresses with.
#pragma once

#include <cstdint>

namespace us::abi {

/// Where a pointer may point. Of size 0: nowhere; of the largest size: anywhere, as far as anybody knows.
struct Bounds {
  uint64_t begin = 0, size = 0;
};
inline constexpr uint64_t kUnknownSize = ~uint64_t(0);

/// Those of a pointer that the host gave: all bytes, those that code may read, and those that it may write.
struct ArgumentBounds {
  uint64_t begin = 0, size = kUnknownSize, readable = kUnknownSize, writable = kUnknownSize;
  uint64_t toShadow = 0; ///< from an address to what is known of its bits, for code that follows that
};

} // namespace us::abi
