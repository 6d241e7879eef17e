// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands name an image's pixels by bytes, as if they lay in rows and slices of the description's pitches; a driver
// wants an origin and a region of pixels. Numbers only: nothing here knows a driver.
#pragma once

#include "runtime/base/geometry.h"
#include "runtime/device/image.h"

#include <optional>
#include <vector>

namespace us::forward {

/// An image as rows and slices. The layers of an array of 1D images are rows, those of 2D images are slices, which is
/// how origins and regions count them, too.
struct PixelGrid {
  uint64_t elementSize = 1; ///< bytes of a pixel
  uint64_t width = 1, rows = 1, slices = 1;
  uint64_t rowPitch = 0, slicePitch = 0; ///< bytes
};
PixelGrid gridOf(const ImageDescription &image);

/// A box of pixels, and where its bytes lie in what the image is copied to or from.
struct PixelBox {
  Size3 origin, region;
  PitchedLayout other;
};

/// The box that lies in an image as `layout` says, if it is one: it has the image's pitches and whole pixels within it.
std::optional<PixelBox> boxOf(const PixelGrid &grid, const PitchedLayout &layout, const Size3 &bytes);

/// The pixels of {bytes, rows, slices} that lie in an image as `layout` says, and in other memory as `other` says: one
/// box, or several where a range of bytes begins and ends anywhere. Bytes between the rows belong to no box.
std::vector<PixelBox> boxesOf(const PixelGrid &grid, const PitchedLayout &layout, const PitchedLayout &other,
                              const Size3 &bytes);

} // namespace us::forward
