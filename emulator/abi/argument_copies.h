// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of which each participant of a launch has a copy of its own: code does nothing to their memory but combine
// numbers into its elements, and the copies are combined into it at the end (docs/decisions/0060-private-copies.md).
#pragma once

#include <cstdint>

namespace us::abi {

/// Of integers, as atomic operations have them: in any order and grouping the result is the same.
enum class Combination : uint8_t { Add, And, Or, Xor, Max, Min, UMax, UMin };

struct ArgumentCopy {
  uint32_t argument = 0; ///< its number
  uint32_t bytes = 4;    ///< of an element: 4 or 8
  Combination combination = Combination::Add;
  bool operator==(const ArgumentCopy &) const = default;
};

/// The number that changes nothing, in its lowest `bits`.
constexpr uint64_t identityOf(Combination combination, unsigned bits) {
  struct Row {
    bool isOnes, hasOtherSign;
  };
  constexpr Row kRows[] = {{false, false}, {true, false}, {false, false}, {false, false},
                           {false, true},  {true, true},  {false, false}, {true, false}};
  const Row &row = kRows[unsigned(combination)];
  return (row.isOnes ? ~uint64_t(0) >> (64 - bits) : 0) ^ (row.hasOtherSign ? uint64_t(1) << (bits - 1) : 0);
}

} // namespace us::abi
