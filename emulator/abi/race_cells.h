// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checked code keeps beside memory to find races in it: for each place (4 bytes, or 1 where a kernel touches less)
// a cell of each plane, which says who touched it last. Cells of earlier epochs say nothing, or that somebody of
// another work-group was there.
#pragma once

#include <cstdint>

namespace us::abi {

enum class CellPlane : uint32_t { Write, FirstRead, LastRead, FirstUpdate, LastUpdate };
inline constexpr uint32_t kCellPlanes = 5;
/// Cells behind the last one: an access may reach so far.
inline constexpr uint32_t kMostCells = 64;

/// A cell, from the highest bits on: the epoch (32 bits), the work-item's linear local id, the number of the place in
/// the code. Work-groups begin an epoch of their own, and barriers that order the memory.
inline constexpr uint32_t kCellEpochShift = 32, kCellItemShift = 16;

/// The cells beside [begin, begin + count * bytes of a place): cell i of a plane is
/// cells[plane * (count + kMostCells) + i].
struct MemoryCells {
  uint64_t begin = 0, count = 0;
  uint64_t *cells = nullptr;
};

/// Of one kind of memory, with epochs where cells have them. A cell of `now` is of this work-group, since its last
/// barrier; one with cell - since < others is of another work-group of this launch.
struct CellEpochs {
  uint64_t now = 0, since = 0, others = 0;
};

} // namespace us::abi
