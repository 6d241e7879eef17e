// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/image_region.h"

#include "icd/opencl/own_errors.h"

namespace us::opencl {
namespace {

/// An image's size as origins and regions count it.
Size3 extentOf(const ImageDescription &image) {
  if (image.kind == ImageKind::Image1DArray) return {image.width, image.arraySize, 1};
  return {image.width, image.height, image.kind == ImageKind::Image2DArray ? image.arraySize : image.depth};
}

/// "If image is a 1D image, origin[1] specifies the mip level to use." "If image is a 1D image array, origin[2] ..."
/// "If image is a 2D image, origin[2] ..." "If image is a 2D image array or a 3D image, origin[3] ..."
size_t levelPlace(ImageKind kind) {
  switch (kind) {
  case ImageKind::Image1D:
  case ImageKind::Image1DBuffer:
    return 1;
  case ImageKind::Image1DArray:
  case ImageKind::Image2D:
    return 2;
  case ImageKind::Image2DArray:
  case ImageKind::Image3D:
    return 3;
  }
  return 0;
}

} // namespace

bool hasSlices(const ClMem &image) {
  return image.type == CL_MEM_OBJECT_IMAGE3D || image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
         image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

bool namesLevelFourth(cl_mem handle) {
  const ClMem *const memory = objectBehind<ClMem>(handle);
  return memory && memory->isImage() && memory->image->description().levels > 1 &&
         levelPlace(memory->image->description().kind) == 3;
}

Expected<ImageRegion> imageRegionFrom(const ClMem &image, const size_t *origin, const size_t *region) {
  // "CL_INVALID_VALUE if origin is NULL"; "if region is NULL"
  if (!origin || !region) return fail(ErrorCode::InvalidValue, "the origin or the region is NULL");
  const ImageDescription &all = image.image->description();
  ImageRegion box;
  const size_t place = levelPlace(all.kind);
  if (all.levels > 1) {
    // "CL_INVALID_MIP_LEVEL if ... the mip level specified in origin is not a valid level for image"
    if (origin[place] >= all.levels)
      return fail(own(OwnError::InvalidMipLevel),
                  icd::format("level {} of an image that has {}", origin[place], all.levels));
    box.level = static_cast<uint32_t>(origin[place]);
  }
  const Size3 extent = extentOf(levelOf(all, box.level).image);
  for (size_t d = 0; d < 3; ++d) {
    const size_t begin = all.levels > 1 && d == place ? 0 : origin[d];
    // "The values in region cannot be 0." "if the region ... specified by origin and region is out of bounds". "If
    // image is a 2D image object, origin[2] must be 0", "region[2] must be 1", and so on: the extent is 1 there.
    if (region[d] == 0 || begin > extent[d] || region[d] > extent[d] - begin)
      return fail(ErrorCode::InvalidValue,
                  icd::format("{} pixels from {} in dimension {} of an image of {}", region[d], begin, d, extent[d]));
    box.origin[d] = begin;
    box.region[d] = region[d];
  }
  return box;
}

} // namespace us::opencl
