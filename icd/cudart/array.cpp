// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and mipmapped arrays, and the formats of their elements.
#include "icd/cudart/channel_format.h"
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {
namespace {

struct FormatRow {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr FormatRow kFormats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                                  {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                                  {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                                  {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                                  {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                                  {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                                  {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                                  {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};

cudaError_t describe(const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags,
                     CUDA_ARRAY3D_DESCRIPTOR *description) {
  if (!format) return cudaErrorInvalidValue;
  ElementFormat element;
  US_RETURN_IF_ERROR(formatOf(*format, &element));
  // The flags have the driver's numbers.
  *description = {extent.width, extent.height, extent.depth, element.format, element.channels, flags};
  return cudaSuccess;
}

} // namespace

size_t ElementFormat::size() const {
  for (const FormatRow &row : kFormats)
    if (row.format == format) return static_cast<size_t>(row.bits) / 8 * channels;
  return 0;
}

cudaError_t formatOf(const cudaChannelFormatDesc &description, ElementFormat *format) {
  const int bits[] = {description.x, description.y, description.z, description.w};
  unsigned channels = 0;
  for (; channels < 4 && bits[channels] != 0; ++channels)
    if (bits[channels] != bits[0]) return cudaErrorInvalidChannelDescriptor;
  for (unsigned i = channels; i < 4; ++i)
    if (bits[i] != 0) return cudaErrorInvalidChannelDescriptor;
  if (channels != 1 && channels != 2 && channels != 4) return cudaErrorInvalidChannelDescriptor;
  for (const FormatRow &row : kFormats)
    if (row.bits == bits[0] && row.kind == description.f) {
      *format = {row.format, channels};
      return cudaSuccess;
    }
  return cudaErrorInvalidChannelDescriptor;
}

cudaChannelFormatDesc descriptionOf(ElementFormat format) {
  for (const FormatRow &row : kFormats)
    if (row.format == format.format) {
      auto bits = [&](unsigned channel) { return channel < format.channels ? row.bits : 0; };
      return {bits(0), bits(1), bits(2), bits(3), row.kind};
    }
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}

cudaError_t mallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height,
                        unsigned flags) {
  return malloc3DArray(array, format, {width, height, 0}, flags);
}

cudaError_t malloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags) {
  if (!array) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUDA_ARRAY3D_DESCRIPTOR description;
  US_RETURN_IF_ERROR(describe(format, extent, flags, &description));
  return errorOf(driver().cuArray3DCreate_v2(reinterpret_cast<CUarray *>(array), &description));
}

cudaError_t freeArray(cudaArray_t array) {
  US_RETURN_IF_ERROR(useContext());
  // "If array is 0, no operation is performed."
  if (!array) return cudaSuccess;
  return errorOf(driver().cuArrayDestroy(driverArray(array)));
}

cudaError_t arrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array) {
  US_RETURN_IF_ERROR(useContext());
  CUDA_ARRAY3D_DESCRIPTOR description;
  US_RETURN_IF_ERROR(errorOf(driver().cuArray3DGetDescriptor_v2(&description, driverArray(array))));
  // "Any of desc, extent, flags, may be set to NULL"
  if (format) *format = descriptionOf({description.Format, description.NumChannels});
  if (extent) *extent = {description.Width, description.Height, description.Depth};
  if (flags) *flags = description.Flags;
  return cudaSuccess;
}

cudaError_t getChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
  if (!format) return cudaErrorInvalidValue;
  return arrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t mallocMipmappedArray(cudaMipmappedArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                                 unsigned levels, unsigned flags) {
  if (!array) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUDA_ARRAY3D_DESCRIPTOR description;
  US_RETURN_IF_ERROR(describe(format, extent, flags, &description));
  return errorOf(driver().cuMipmappedArrayCreate(reinterpret_cast<CUmipmappedArray *>(array), &description, levels));
}

cudaError_t getMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap, unsigned level) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMipmappedArrayGetLevel(
      reinterpret_cast<CUarray *>(array), reinterpret_cast<CUmipmappedArray>(const_cast<cudaMipmappedArray *>(mipmap)),
      level));
}

cudaError_t freeMipmappedArray(cudaMipmappedArray_t array) {
  US_RETURN_IF_ERROR(useContext());
  if (!array) return cudaSuccess;
  return errorOf(driver().cuMipmappedArrayDestroy(reinterpret_cast<CUmipmappedArray>(array)));
}

static_assert(sizeof(cudaArrayMemoryRequirements) == sizeof(CUDA_ARRAY_MEMORY_REQUIREMENTS));
static_assert(sizeof(cudaArraySparseProperties) == sizeof(CUDA_ARRAY_SPARSE_PROPERTIES));

cudaError_t arrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned index) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuArrayGetPlane(reinterpret_cast<CUarray *>(plane), reinterpret_cast<CUarray>(array), index));
}

cudaError_t arrayGetMemoryRequirements(cudaArrayMemoryRequirements *requirements, cudaArray_t array, int device) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuArrayGetMemoryRequirements(reinterpret_cast<CUDA_ARRAY_MEMORY_REQUIREMENTS *>(requirements),
                                                       reinterpret_cast<CUarray>(array), device));
}

cudaError_t mipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *requirements, cudaMipmappedArray_t array,
                                                int device) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(
      driver().cuMipmappedArrayGetMemoryRequirements(reinterpret_cast<CUDA_ARRAY_MEMORY_REQUIREMENTS *>(requirements),
                                                     reinterpret_cast<CUmipmappedArray>(array), device));
}

cudaError_t arrayGetSparseProperties(cudaArraySparseProperties *properties, cudaArray_t array) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuArrayGetSparseProperties(reinterpret_cast<CUDA_ARRAY_SPARSE_PROPERTIES *>(properties),
                                                     reinterpret_cast<CUarray>(array)));
}

cudaError_t mipmappedArrayGetSparseProperties(cudaArraySparseProperties *properties, cudaMipmappedArray_t array) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMipmappedArrayGetSparseProperties(
      reinterpret_cast<CUDA_ARRAY_SPARSE_PROPERTIES *>(properties), reinterpret_cast<CUmipmappedArray>(array)));
}

cudaError_t deviceGetTexture1DLinearMaxWidth(size_t *width, const cudaChannelFormatDesc *format, int device) {
  if (!width || !format) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(startDriver());
  ElementFormat element;
  US_RETURN_IF_ERROR(formatOf(*format, &element));
  return errorOf(driver().cuDeviceGetTexture1DLinearMaxWidth(width, element.format, element.channels, device));
}

} // namespace us::cudart

extern "C" __attribute__((visibility("default"))) cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
