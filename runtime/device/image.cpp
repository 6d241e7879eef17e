// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/image.h"

#include <algorithm>

namespace us {
namespace {

/// Bytes from the first pixel to the end of the last row's pitch, of one level.
uint64_t bytesOf(const ImageDescription &level) {
  switch (level.kind) {
  case ImageKind::Image1D:
  case ImageKind::Image1DBuffer:
    return level.rowPitch;
  case ImageKind::Image2D:
    return level.rowPitch * level.height;
  case ImageKind::Image3D:
    return level.slicePitch * level.depth;
  case ImageKind::Image1DArray:
  case ImageKind::Image2DArray:
    return level.slicePitch * level.arraySize;
  }
  return 0;
}

uint64_t half(uint64_t size) { return std::max<uint64_t>(size / 2, 1); }

} // namespace

ImageLevel levelOf(const ImageDescription &image, uint32_t level) {
  ImageLevel found{image};
  ImageDescription &one = found.image;
  one.levels = 1;
  for (; level; --level) {
    found.offset += bytesOf(one);
    one.width = half(one.width);
    one.height = half(one.height);
    one.depth = half(one.depth);
    one.rowPitch = one.width * one.elementSize;
    one.slicePitch = one.rowPitch * one.height;
  }
  return found;
}

} // namespace us
