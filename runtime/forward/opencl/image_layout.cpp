// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/image_layout.h"

#include <algorithm>

namespace us::forward {
namespace {

/// The boxes of the bytes [begin, end) of an image; the byte at `begin` is the one at `otherBegin` elsewhere.
void addRange(const PixelGrid &grid, uint64_t begin, uint64_t end, uint64_t otherBegin, std::vector<PixelBox> &boxes) {
  const uint64_t first = begin;
  const auto add = [&](const Size3 &origin, const Size3 &region) {
    boxes.push_back({origin, region, {otherBegin + (begin - first), grid.rowPitch, grid.slicePitch}});
  };
  while (begin < end && begin / grid.slicePitch < grid.slices) {
    const uint64_t z = begin / grid.slicePitch, inSlice = begin % grid.slicePitch;
    if (inSlice == 0 && end - begin >= grid.slicePitch) {
      const uint64_t slices = std::min((end - begin) / grid.slicePitch, grid.slices - z);
      add({0, 0, z}, {grid.width, grid.rows, slices});
      begin += slices * grid.slicePitch;
      continue;
    }
    const uint64_t sliceEnd = std::min(end, begin - inSlice + grid.slicePitch);
    const uint64_t y = inSlice / grid.rowPitch, inRow = inSlice % grid.rowPitch;
    if (y >= grid.rows) {
      begin = sliceEnd;
      continue;
    }
    if (inRow == 0 && sliceEnd - begin >= grid.rowPitch) {
      const uint64_t rows = std::min((sliceEnd - begin) / grid.rowPitch, grid.rows - y);
      add({0, y, z}, {grid.width, rows, 1});
      begin += rows * grid.rowPitch;
      continue;
    }
    const uint64_t rowBegin = begin - inRow, rowEnd = std::min(sliceEnd, rowBegin + grid.rowPitch);
    const uint64_t x = inRow / grid.elementSize, last = std::min((rowEnd - rowBegin) / grid.elementSize, grid.width);
    if (x < last) add({x, y, z}, {last - x, 1, 1});
    begin = rowEnd;
  }
}

} // namespace

PixelGrid gridOf(const ImageDescription &image) {
  PixelGrid grid{.elementSize = image.elementSize, .width = image.width, .rowPitch = image.rowPitch};
  switch (image.kind) {
  case ImageKind::Image1D:
  case ImageKind::Image1DBuffer:
    break;
  case ImageKind::Image1DArray:
    grid.rows = image.arraySize;
    grid.rowPitch = image.slicePitch;
    break;
  case ImageKind::Image2D:
    grid.rows = image.height;
    break;
  case ImageKind::Image2DArray:
    grid.rows = image.height;
    grid.slices = image.arraySize;
    break;
  case ImageKind::Image3D:
    grid.rows = image.height;
    grid.slices = image.depth;
    break;
  }
  grid.slicePitch = grid.slices > 1 ? image.slicePitch : grid.rowPitch * grid.rows;
  return grid;
}

std::optional<PixelBox> boxOf(const PixelGrid &grid, const PitchedLayout &layout, const Size3 &bytes) {
  if ((bytes[1] > 1 && layout.rowPitch != grid.rowPitch) || (bytes[2] > 1 && layout.slicePitch != grid.slicePitch))
    return std::nullopt;
  const uint64_t inSlice = layout.offset % grid.slicePitch, inRow = inSlice % grid.rowPitch;
  if (inRow % grid.elementSize || bytes[0] % grid.elementSize) return std::nullopt;
  const PixelBox box{{inRow / grid.elementSize, inSlice / grid.rowPitch, layout.offset / grid.slicePitch},
                     {bytes[0] / grid.elementSize, bytes[1], bytes[2]},
                     {}};
  const Size3 extent{grid.width, grid.rows, grid.slices};
  for (size_t d = 0; d < 3; ++d)
    if (box.origin[d] > extent[d] || box.region[d] > extent[d] - box.origin[d]) return std::nullopt;
  return box;
}

std::vector<PixelBox> boxesOf(const PixelGrid &grid, const PitchedLayout &layout, const PitchedLayout &other,
                              const Size3 &bytes) {
  if (std::optional<PixelBox> box = boxOf(grid, layout, bytes)) {
    box->other = other;
    return {*box};
  }
  std::vector<PixelBox> boxes;
  for (uint64_t z = 0; z < bytes[2]; ++z)
    for (uint64_t y = 0; y < bytes[1]; ++y) {
      const uint64_t begin = layout.offset + z * layout.slicePitch + y * layout.rowPitch;
      addRange(grid, begin, begin + bytes[0], other.offset + z * other.slicePitch + y * other.rowPitch, boxes);
    }
  return boxes;
}

} // namespace us::forward
