// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checked code keeps beside local memory to find races in it: for each place (4 bytes, or 1 where a kernel touches
// less) a cell of each plane, which says who touched it last. Cells of earlier epochs say nothing.
#pragma once

#include <cstdint>

namespace us::abi {

enum class CellPlane : uint32_t { Write, FirstRead, LastRead, FirstUpdate, LastUpdate };
inline constexpr uint32_t kCellPlanes = 5;
/// Cells behind the last one: an access may reach so far.
inline constexpr uint32_t kMostCells = 64;

/// A cell, from the highest bits on: the epoch (32 bits), the work-item's linear local id, the number of the place in
/// the code. Work-groups and barriers that order local memory begin an epoch.
inline constexpr uint32_t kCellEpochShift = 32, kCellItemShift = 16;

} // namespace us::abi
