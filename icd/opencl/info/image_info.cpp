// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetImageInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/image_region.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

const ImageDescription &of(const ClMem &image) { return image.image->description(); }

/// "For a 1D image, 1D image buffer and 2D image object return 0."
size_t slicePitchOf(const ClMem &image) { return hasSlices(image) ? of(image).slicePitch : 0; }

/// "For a 1D image, 1D image buffer and 1D image array object, height = 0."
size_t heightOf(const ClMem &image) {
  const bool flat = image.type == CL_MEM_OBJECT_IMAGE1D || image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
                    image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  return flat ? 0 : of(image).height;
}

/// "For a 1D image, 1D image buffer, 2D image or 1D and 2D image array object, depth = 0."
size_t depthOf(const ClMem &image) { return image.type == CL_MEM_OBJECT_IMAGE3D ? of(image).depth : 0; }

/// "If image is not an image array, 0 is returned."
size_t layersOf(const ClMem &image) {
  return image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY || image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? of(image).arraySize
                                                                                                : 0;
}

/// "Return buffer object associated with image."
cl_mem bufferOf(const ClMem &image) {
  return image.parent && !image.parent->isImage() ? image.parent->handle() : nullptr;
}

constexpr InfoRow<ClMem> kImageInfo[] = {
    {CL_IMAGE_FORMAT, [](auto &m, InfoWriter &w) { return w.put<cl_image_format>(m.format); }},
    {CL_IMAGE_ELEMENT_SIZE, [](auto &m, InfoWriter &w) { return w.put<size_t>(of(m).elementSize); }},
    {CL_IMAGE_ROW_PITCH, [](auto &m, InfoWriter &w) { return w.put<size_t>(m.imageRowPitch); }},
    {CL_IMAGE_SLICE_PITCH, [](auto &m, InfoWriter &w) { return w.put<size_t>(slicePitchOf(m)); }},
    {CL_IMAGE_WIDTH, [](auto &m, InfoWriter &w) { return w.put<size_t>(of(m).width); }},
    {CL_IMAGE_HEIGHT, [](auto &m, InfoWriter &w) { return w.put<size_t>(heightOf(m)); }},
    {CL_IMAGE_DEPTH, [](auto &m, InfoWriter &w) { return w.put<size_t>(depthOf(m)); }},
    {CL_IMAGE_ARRAY_SIZE, [](auto &m, InfoWriter &w) { return w.put<size_t>(layersOf(m)); }},
    {CL_IMAGE_BUFFER, [](auto &m, InfoWriter &w) { return w.put<cl_mem>(bufferOf(m)); }},
    {CL_IMAGE_NUM_MIP_LEVELS, [](auto &m, InfoWriter &w) { return w.put<cl_uint>(m.mipLevels); }},
    {CL_IMAGE_NUM_SAMPLES, [](auto &, InfoWriter &w) { return w.put<cl_uint>(0); }},
};

} // namespace

// clGetImageInfo
Expected<void> getImageInfo(cl_mem handle, cl_image_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_MEM_OBJECT if image is a not a valid image object"
  US_TRY(ClMem & image, imageFrom(handle));
  return icd::answer(kImageInfo, image, name, size, value, sizeReturned);
}

} // namespace us::opencl
