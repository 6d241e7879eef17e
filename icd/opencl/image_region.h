// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The origin and region of the calls on images.
#pragma once

#include "icd/opencl/memory.h"
#include "runtime/base/geometry.h"

namespace us::opencl {

/// Pixels of a level of a mipmap; a layer of an array of 1D images is y, one of 2D images z.
struct ImageRegion {
  Size3 origin, region;
  uint32_t level = 0;
};

/// Checks an origin and a region against an image: InvalidValue, InvalidMipLevel. The origin has a fourth number where
/// it has to name the level of a 3D image or of an array of 2D images.
Expected<ImageRegion> imageRegionFrom(const ClMem &image, const size_t *origin, const size_t *region);

/// Whether an origin in what may be an image has a fourth number: a mipmap's level.
bool namesLevelFourth(cl_mem handle);

/// True for 3D images and arrays: what has a slice pitch.
bool hasSlices(const ClMem &image);

} // namespace us::opencl
