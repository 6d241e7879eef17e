// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of memory with pitches: what the rectangular commands copy, for host and device alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace us {

using Size3 = std::array<uint64_t, 3>;

/// A box of bytes inside linear memory: element (x, y, z) lies at offset + x + y * rowPitch + z * slicePitch (bytes).
struct PitchedLayout {
  uint64_t offset = 0;     ///< bytes from the start of the memory to the box's first byte
  uint64_t rowPitch = 0;   ///< bytes from a row to the next
  uint64_t slicePitch = 0; ///< bytes from a slice to the next
  uint64_t base = 0;       ///< of `offset`, what lies before the first row of all: other levels of a mipmap
};

/// The bytes from the box's first byte to one past its last, for a region of {bytes, rows, slices}; 0 if empty.
uint64_t spanOf(const PitchedLayout &layout, const Size3 &region);

/// Calls `use` with the offset of each row's first byte, for a region of {bytes, rows, slices}.
template <class Use> void forEachRow(const PitchedLayout &layout, const Size3 &region, Use use) {
  for (uint64_t slice = 0; slice < region[2]; ++slice)
    for (uint64_t row = 0; row < region[1]; ++row)
      use(layout.offset + slice * layout.slicePitch + row * layout.rowPitch);
}

/// Copies {bytes, rows, slices}; the two boxes must not overlap. Rows and slices that lie together are copied as one.
void copyPitched(std::byte *to, const PitchedLayout &toLayout, const std::byte *from, const PitchedLayout &fromLayout,
                 const Size3 &region);

/// True if two boxes of the same region within the same memory share a byte (OpenCL 3.0, appendix
/// "CL_MEM_COPY_OVERLAP").
bool boxesOverlap(const PitchedLayout &a, const PitchedLayout &b, const Size3 &region);

} // namespace us
