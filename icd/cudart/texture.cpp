// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects: the driver's, described in the runtime's words.
#include "icd/cudart/channel_format.h"
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {
namespace {

cudaError_t toDriver(const cudaResourceDesc &from, CUDA_RESOURCE_DESC *to) {
  *to = {};
  to->resType = static_cast<CUresourcetype>(from.resType);
  ElementFormat element;
  switch (from.resType) {
  case cudaResourceTypeArray:
    to->res.array.hArray = driverArray(from.res.array.array);
    return cudaSuccess;
  case cudaResourceTypeMipmappedArray:
    to->res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
    return cudaSuccess;
  case cudaResourceTypeLinear:
    US_RETURN_IF_ERROR(formatOf(from.res.linear.desc, &element));
    to->res.linear = {reinterpret_cast<CUdeviceptr>(from.res.linear.devPtr), element.format, element.channels,
                      from.res.linear.sizeInBytes};
    return cudaSuccess;
  case cudaResourceTypePitch2D:
    US_RETURN_IF_ERROR(formatOf(from.res.pitch2D.desc, &element));
    to->res.pitch2D = {reinterpret_cast<CUdeviceptr>(from.res.pitch2D.devPtr),
                       element.format,
                       element.channels,
                       from.res.pitch2D.width,
                       from.res.pitch2D.height,
                       from.res.pitch2D.pitchInBytes};
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaResourceDesc fromDriver(const CUDA_RESOURCE_DESC &from) {
  cudaResourceDesc to = {};
  to.resType = static_cast<cudaResourceType>(from.resType);
  switch (from.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to.res.array.array = reinterpret_cast<cudaArray_t>(from.res.array.hArray);
    break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(from.res.mipmap.hMipmappedArray);
    break;
  case CU_RESOURCE_TYPE_LINEAR:
    to.res.linear = {reinterpret_cast<void *>(from.res.linear.devPtr),
                     descriptionOf({from.res.linear.format, from.res.linear.numChannels}), from.res.linear.sizeInBytes};
    break;
  case CU_RESOURCE_TYPE_PITCH2D:
    to.res.pitch2D = {reinterpret_cast<void *>(from.res.pitch2D.devPtr),
                      descriptionOf({from.res.pitch2D.format, from.res.pitch2D.numChannels}), from.res.pitch2D.width,
                      from.res.pitch2D.height, from.res.pitch2D.pitchInBytes};
    break;
  }
  return to;
}

CUDA_TEXTURE_DESC toDriver(const cudaTextureDesc &from) {
  CUDA_TEXTURE_DESC to = {};
  for (int i = 0; i < 3; ++i) to.addressMode[i] = static_cast<CUaddress_mode>(from.addressMode[i]);
  to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
  to.flags = (from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
             (from.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (from.sRGB ? CU_TRSF_SRGB : 0) |
             (from.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
             (from.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  for (int i = 0; i < 4; ++i) to.borderColor[i] = from.borderColor[i];
  return to;
}

cudaTextureDesc fromDriver(const CUDA_TEXTURE_DESC &from) {
  cudaTextureDesc to = {};
  for (int i = 0; i < 3; ++i) to.addressMode[i] = static_cast<cudaTextureAddressMode>(from.addressMode[i]);
  to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  to.readMode = from.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  to.disableTrilinearOptimization = (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to.seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  for (int i = 0; i < 4; ++i) to.borderColor[i] = from.borderColor[i];
  return to;
}

// The two descriptions of a view have the same fields; only the enumeration of formats has another type.
template <typename To, typename From> To convertView(const From &from) {
  To to = {};
  to.format = static_cast<decltype(to.format)>(from.format);
  to.width = from.width, to.height = from.height, to.depth = from.depth;
  to.firstMipmapLevel = from.firstMipmapLevel, to.lastMipmapLevel = from.lastMipmapLevel;
  to.firstLayer = from.firstLayer, to.lastLayer = from.lastLayer;
  return to;
}

cudaResourceViewDesc fromDriver(const CUDA_RESOURCE_VIEW_DESC &from) { return convertView<cudaResourceViewDesc>(from); }

// What the driver's `query` says of `object`, in the runtime's words.
template <typename Known, typename Described, typename Object>
cudaError_t describe(CUresult (*query)(Known *, Object), Object object, Described *described) {
  if (!described) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  Known known;
  US_RETURN_IF_ERROR(errorOf(query(&known, object)));
  *described = fromDriver(known);
  return cudaSuccess;
}

} // namespace

cudaError_t createTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                const cudaTextureDesc *texture, const cudaResourceViewDesc *view) {
  if (!object || !resource || !texture) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUDA_RESOURCE_DESC driverResource;
  US_RETURN_IF_ERROR(toDriver(*resource, &driverResource));
  const CUDA_TEXTURE_DESC driverTexture = toDriver(*texture);
  CUDA_RESOURCE_VIEW_DESC driverView;
  if (view) driverView = convertView<CUDA_RESOURCE_VIEW_DESC>(*view);
  return errorOf(driver().cuTexObjectCreate(object, &driverResource, &driverTexture, view ? &driverView : nullptr));
}

cudaError_t destroyTextureObject(cudaTextureObject_t object) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuTexObjectDestroy(object));
}

cudaError_t getTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object) {
  return describe(driver().cuTexObjectGetResourceDesc, object, resource);
}

cudaError_t getTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object) {
  return describe(driver().cuTexObjectGetTextureDesc, object, texture);
}

cudaError_t getTextureObjectResourceViewDesc(cudaResourceViewDesc *view, cudaTextureObject_t object) {
  return describe(driver().cuTexObjectGetResourceViewDesc, object, view);
}

cudaError_t createSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource) {
  if (!object || !resource) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUDA_RESOURCE_DESC driverResource;
  US_RETURN_IF_ERROR(toDriver(*resource, &driverResource));
  return errorOf(driver().cuSurfObjectCreate(object, &driverResource));
}

cudaError_t destroySurfaceObject(cudaSurfaceObject_t object) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuSurfObjectDestroy(object));
}

cudaError_t getSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t object) {
  return describe(driver().cuSurfObjectGetResourceDesc, object, resource);
}

} // namespace us::cudart
