// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references, which CUDA had until release 11: variables of the program that are bound to memory or
// arrays. What they say of themselves counts when they are bound; the driver has a reference for each in every context.
#if CUDART_VERSION < 13000
#include "icd/cudart/channel_format.h"
#include "icd/cudart/entry_points.h"
#include "icd/cudart/registry.h"
#include "icd/cudart/thread_state.h"

#include <algorithm>

namespace us::cudart {
namespace {

/// The driver's reference, with all that the variable says but for its elements.
cudaError_t prepare(const textureReference *texture, CUtexref *reference) {
  if (!texture) return cudaErrorInvalidTexture;
  bool isNormalized = false;
  US_RETURN_IF_ERROR(useContext());
  US_RETURN_IF_ERROR(textureOf(texture, reference, &isNormalized));
  const unsigned flags = (isNormalized ? 0 : CU_TRSF_READ_AS_INTEGER) |
                         (texture->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
                         (texture->sRGB ? CU_TRSF_SRGB : 0);
  US_RETURN_IF_ERROR(errorOf(driver().cuTexRefSetFlags(*reference, flags)));
  US_RETURN_IF_ERROR(
      errorOf(driver().cuTexRefSetFilterMode(*reference, static_cast<CUfilter_mode>(texture->filterMode))));
  for (int i = 0; i < 3; ++i)
    US_RETURN_IF_ERROR(
        errorOf(driver().cuTexRefSetAddressMode(*reference, i, static_cast<CUaddress_mode>(texture->addressMode[i]))));
  return cudaSuccess;
}

} // namespace

cudaError_t bindTexture(size_t *offset, const textureReference *texture, const void *pointer,
                        const cudaChannelFormatDesc *format, size_t size) {
  if (!format) return cudaErrorInvalidValue;
  CUtexref reference = nullptr;
  ElementFormat element;
  US_RETURN_IF_ERROR(prepare(texture, &reference));
  US_RETURN_IF_ERROR(formatOf(*format, &element));
  US_RETURN_IF_ERROR(
      errorOf(driver().cuTexRefSetFormat(reference, element.format, static_cast<int>(element.channels))));
  // Programs say how much there is, or leave it at the greatest number.
  const auto address = reinterpret_cast<CUdeviceptr>(pointer);
  CUdeviceptr begin = 0;
  size_t all = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuMemGetAddressRange_v2(&begin, &all, address)));
  size_t beyond = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuTexRefSetAddress_v2(offset ? offset : &beyond, reference, address,
                                                            std::min<size_t>(size, all - (address - begin)))));
  // "If the pointer was returned from cudaMalloc(), the offset is guaranteed to be 0 and NULL may be passed."
  if (beyond != 0) return cudaErrorInvalidValue;
  noteOffset(texture, offset ? *offset : 0);
  return cudaSuccess;
}

cudaError_t bindTexture2D(size_t *offset, const textureReference *texture, const void *pointer,
                          const cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch) {
  if (!format) return cudaErrorInvalidValue;
  CUtexref reference = nullptr;
  ElementFormat element;
  US_RETURN_IF_ERROR(prepare(texture, &reference));
  US_RETURN_IF_ERROR(formatOf(*format, &element));
  const CUDA_ARRAY_DESCRIPTOR rows = {width, height, element.format, element.channels};
  US_RETURN_IF_ERROR(
      errorOf(driver().cuTexRefSetAddress2D_v3(reference, &rows, reinterpret_cast<CUdeviceptr>(pointer), pitch)));
  if (offset) *offset = 0;
  noteOffset(texture, 0);
  return cudaSuccess;
}

cudaError_t bindTextureToArray(const textureReference *texture, cudaArray_const_t array,
                               const cudaChannelFormatDesc *format) {
  if (!format || !array) return cudaErrorInvalidValue;
  CUtexref reference = nullptr;
  US_RETURN_IF_ERROR(prepare(texture, &reference));
  return errorOf(driver().cuTexRefSetArray(reference, driverArray(array), CU_TRSA_OVERRIDE_FORMAT));
}

cudaError_t bindTextureToMipmappedArray(const textureReference *texture, cudaMipmappedArray_const_t mipmaps,
                                        const cudaChannelFormatDesc *format) {
  if (!format || !mipmaps) return cudaErrorInvalidValue;
  CUtexref reference = nullptr;
  US_RETURN_IF_ERROR(prepare(texture, &reference));
  const auto array = reinterpret_cast<CUmipmappedArray>(const_cast<cudaMipmappedArray *>(mipmaps));
  return errorOf(driver().cuTexRefSetMipmappedArray(reference, array, CU_TRSA_OVERRIDE_FORMAT));
}

cudaError_t unbindTexture(const textureReference *texture) {
  CUtexref reference = nullptr;
  US_RETURN_IF_ERROR(prepare(texture, &reference));
  size_t offset = 0;
  return errorOf(driver().cuTexRefSetAddress_v2(&offset, reference, 0, 0));
}

cudaError_t getTextureAlignmentOffset(size_t *offset, const textureReference *texture) {
  return offset ? offsetOf(texture, offset) : cudaErrorInvalidValue;
}

cudaError_t getTextureReference(const textureReference **texture, const void *symbol) {
  if (!texture) return cudaErrorInvalidValue;
  size_t offset = 0;
  US_RETURN_IF_ERROR(offsetOf(symbol, &offset)); // it is one
  *texture = static_cast<const textureReference *>(symbol);
  return cudaSuccess;
}

cudaError_t bindSurfaceToArray(const surfaceReference *surface, cudaArray_const_t array,
                               const cudaChannelFormatDesc *format) {
  if (!format || !array) return cudaErrorInvalidValue;
  if (!surface) return cudaErrorInvalidSurface;
  CUsurfref reference = nullptr;
  US_RETURN_IF_ERROR(useContext());
  US_RETURN_IF_ERROR(surfaceOf(surface, &reference));
  return errorOf(driver().cuSurfRefSetArray(reference, driverArray(array), 0));
}

cudaError_t getSurfaceReference(const surfaceReference **surface, const void *symbol) {
  if (!surface) return cudaErrorInvalidValue;
  CUsurfref reference = nullptr;
  US_RETURN_IF_ERROR(useContext());
  US_RETURN_IF_ERROR(surfaceOf(symbol, &reference));
  *surface = static_cast<const surfaceReference *>(symbol);
  return cudaSuccess;
}

} // namespace us::cudart
#endif
