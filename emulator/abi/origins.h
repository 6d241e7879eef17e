// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a value that was never written comes from: 32 bits for each four bytes of memory. Of a private variable and of
// local memory a byte, four times; of global memory, in the bits above the byte, the number of the read, from 1 on.
#pragma once

#include <cstdint>

namespace us::abi {

inline constexpr uint8_t kLocalOrigin = 0xff; ///< local memory
inline constexpr uint8_t kManyOrigin = 0xfe;  ///< a private variable behind the first so many
inline constexpr uint8_t kMostOrigins = 0xfd; ///< private variables are numbered from 1 on, without the next one
inline constexpr uint8_t kGlobalOrigin = 0x7f;
/// Of global memory: a calculation has made another value of it, so that it is more than a copy.
inline constexpr uint32_t kCalculated = uint32_t(1) << 31;

/// Bytes of an access whose shadow may lie where nothing is known.
inline constexpr uint64_t kLargestShadowed = 4096;

} // namespace us::abi
