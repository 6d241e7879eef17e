// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/geometry.h"

#include <cstring>

namespace us {

uint64_t spanOf(const PitchedLayout &layout, const Size3 &region) {
  if (region[0] == 0 || region[1] == 0 || region[2] == 0) return 0;
  return (region[2] - 1) * layout.slicePitch + (region[1] - 1) * layout.rowPitch + region[0];
}

void copyPitched(std::byte *to, const PitchedLayout &toLayout, const std::byte *from, const PitchedLayout &fromLayout,
                 const Size3 &region) {
  to += toLayout.offset;
  from += fromLayout.offset;
  Size3 box = region;
  if (spanOf(toLayout, box) == 0) return;
  // Rows that lie together are one row; then slices that lie together are one row.
  bool rowsTogether = box[1] == 1 || (toLayout.rowPitch == box[0] && fromLayout.rowPitch == box[0]);
  if (rowsTogether) {
    box[0] *= box[1];
    box[1] = 1;
    if (box[2] > 1 && toLayout.slicePitch == box[0] && fromLayout.slicePitch == box[0]) {
      box[0] *= box[2];
      box[2] = 1;
    }
  }
  for (uint64_t z = 0; z < box[2]; ++z)
    for (uint64_t y = 0; y < box[1]; ++y)
      std::memcpy(to + z * toLayout.slicePitch + y * toLayout.rowPitch,
                  from + z * fromLayout.slicePitch + y * fromLayout.rowPitch, box[0]);
}

bool boxesOverlap(const PitchedLayout &a, const PitchedLayout &b, const Size3 &region) {
  uint64_t spanA = spanOf(a, region), spanB = spanOf(b, region);
  if (spanA == 0 || spanB == 0) return false;
  if (a.offset + spanA <= b.offset || b.offset + spanB <= a.offset) return false;
  // Spans meet: compare row by row. Rows of one box are in ascending order, so a merge finds any shared byte.
  uint64_t rowsA = region[1] * region[2], i = 0, j = 0;
  auto rowStart = [&](const PitchedLayout &l, uint64_t row) {
    return l.offset + row / region[1] * l.slicePitch + row % region[1] * l.rowPitch;
  };
  while (i < rowsA && j < rowsA) {
    uint64_t startA = rowStart(a, i), startB = rowStart(b, j);
    if (startA < startB + region[0] && startB < startA + region[0]) return true;
    startA < startB ? ++i : ++j;
  }
  return false;
}

} // namespace us
