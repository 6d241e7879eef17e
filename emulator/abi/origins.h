// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a value that was never written comes from: a byte, four times, for each four bytes of memory.
#pragma once

#include <cstdint>

namespace us::abi {

inline constexpr uint8_t kLocalOrigin = 0xff; ///< local memory
inline constexpr uint8_t kManyOrigin = 0xfe;  ///< a private variable behind the first so many
inline constexpr uint8_t kMostOrigins = 0xfd; ///< private variables are numbered from 1 on

/// Bytes of an access whose shadow may lie where nothing is known.
inline constexpr uint64_t kLargestShadowed = 4096;

} // namespace us::abi
