// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The origin and region of the calls on images.
#pragma once

#include "icd/opencl/memory.h"
#include "runtime/base/geometry.h"

namespace us::opencl {

/// Pixels; a layer of an array of 1D images is y, one of 2D images z.
struct ImageRegion {
  Size3 origin, region;
};

/// Checks an origin and a region against an image: InvalidValue.
Expected<ImageRegion> imageRegionFrom(const ClMem &image, const size_t *origin, const size_t *region);

/// True for 3D images and arrays: what has a slice pitch.
bool hasSlices(const ClMem &image);

} // namespace us::opencl
