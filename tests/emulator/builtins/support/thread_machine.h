// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A machine for tests of work-item and collective functions: one work-group, a thread for each work-item. It knows
// nothing of the tiers, so it says what `us.*` functions mean (docs/ir-conventions.md) independently of them.
#pragma once
#include <array>
#include <cstdint>
#include <functional>

namespace us::test {

struct GroupShape {
  std::array<std::uint64_t, 3> localSize = {1, 1, 1};
  std::array<std::uint64_t, 3> fullSize = {0, 0, 0}; ///< of a full work-group; zeros: like localSize
  std::array<std::uint64_t, 3> groupId = {0, 0, 0};
  std::array<std::uint64_t, 3> numGroups = {1, 1, 1};
  std::array<std::uint64_t, 3> globalOffset = {0, 0, 0};
  std::array<std::uint64_t, 3> globalSize = {0, 0, 0}; ///< zeros: numGroups full groups
  std::uint32_t dimensions = 1;
};

/// Runs the work-group; the function is called once for each work-item, on a thread of its own.
void runGroup(const GroupShape &shape, const std::function<void()> &item);

} // namespace us::test
