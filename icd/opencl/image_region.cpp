// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/image_region.h"

namespace us::opencl {
namespace {

/// An image's size as origins and regions count it.
Size3 extentOf(const ImageDescription &image) {
  if (image.kind == ImageKind::Image1DArray) return {image.width, image.arraySize, 1};
  return {image.width, image.height, image.kind == ImageKind::Image2DArray ? image.arraySize : image.depth};
}

} // namespace

bool hasSlices(const ClMem &image) {
  return image.type == CL_MEM_OBJECT_IMAGE3D || image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
         image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

Expected<ImageRegion> imageRegionFrom(const ClMem &image, const size_t *origin, const size_t *region) {
  // "CL_INVALID_VALUE if origin is NULL"; "if region is NULL"
  if (!origin || !region) return fail(ErrorCode::InvalidValue, "the origin or the region is NULL");
  const Size3 extent = extentOf(image.image->description());
  ImageRegion box;
  for (int d = 0; d < 3; ++d) {
    // "The values in region cannot be 0." "if the region ... specified by origin and region is out of bounds". "If
    // image is a 2D image object, origin[2] must be 0", "region[2] must be 1", and so on: the extent is 1 there.
    if (region[d] == 0 || origin[d] > extent[d] || region[d] > extent[d] - origin[d])
      return fail(ErrorCode::InvalidValue, icd::format("{} pixels from {} in dimension {} of an image of {}", region[d],
                                                       origin[d], d, extent[d]));
    box.origin[d] = origin[d];
    box.region[d] = region[d];
  }
  return box;
}

} // namespace us::opencl
