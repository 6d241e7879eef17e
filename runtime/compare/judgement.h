// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what two devices have left in memory is the same, and if not, where it differs.
#pragma once

#include "runtime/compare/element.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace us::compare {

/// What counts as the same number.
struct Tolerance {
  /// Floats may be so many numbers apart; halves a quarter of it, since the language asks for that much more of them.
  uint64_t ulps = 0;
  double absolute = 0;           ///< or so much
  double relative = 0;           ///< or so much of the reference's magnitude
  bool flushesDenormals = false; ///< numbers below the least normal one may be zero
};

/// The same memory after a launch on each device. All have one size.
struct Outputs {
  std::span<const std::byte> reference;
  std::span<const std::byte> candidate;
  /// Not 0 where the reference, when it ran again, has left another byte; empty: it did not run again.
  std::span<const std::byte> unsteady = {};
};

/// How memory is divided.
struct Layout {
  ElementType type;
  uint64_t origin = 0; ///< where element 0 is; there may be some before it
};

struct Difference {
  int64_t element = 0;
  uint32_t lane = 0; ///< of a vector
  std::string reference, candidate;
  std::optional<uint64_t> ulps; ///< of floats, if both are numbers
};

struct Judgement {
  uint64_t elements = 0;         ///< lanes that were looked at
  uint64_t differing = 0;        ///< of these
  uint64_t unsteady = 0;         ///< the reference itself does not repeat them: not compared
  uint64_t reordered = 0;        ///< differ, but all of the memory holds the same elements in another order
  uint64_t tolerated = 0;        ///< other numbers, near enough
  uint64_t largestUlps = 0;      ///< of these
  std::vector<Difference> first; ///< of those that differ, kMostDifferences at most
};
inline constexpr size_t kMostDifferences = 8;

/// `mayReorder`: the kernel's work-items may take their places in an order that nobody promises.
Judgement judge(const Outputs &outputs, const Layout &layout, const Tolerance &tolerance, bool mayReorder);

} // namespace us::compare
