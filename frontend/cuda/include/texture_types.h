/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Numbers that textures and surfaces are described with. */
#ifndef UNDERSTUDY_TEXTURE_TYPES_H
#define UNDERSTUDY_TEXTURE_TYPES_H

/* The names by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__

#include "crt/host_defines.h"
#include "vector_types.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3,
  cudaChannelFormatKindNV12 = 4
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  enum cudaChannelFormatKind f;
};

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#if CUDART_VERSION < 13000
/* Of CUDA 11; the runtime library of CUDA 12 is that of its programs, too. */
struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, reserved[14];
};
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
#endif
#if CUDART_VERSION < 12000 && defined(__cplusplus)

// In device code a variable of these is a handle; what its constructor says reaches programs of the runtime API only.
template <class T, int type = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
  constexpr texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                    cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{normalized, filter, {address, address, address}, {}, 0, 0, filter, 0, 0, 0, 0, {}} {}
  constexpr texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                    cudaChannelFormatDesc format)
      : textureReference{normalized, filter, {address, address, address}, format, 0, 0, filter, 0, 0, 0, 0, {}} {}
};
template <class T, int type = cudaSurfaceType1D>
struct __device_builtin_surface_type__ surface : public surfaceReference {
  constexpr surface() : surfaceReference{} {}
};
template <int type> struct __device_builtin_surface_type__ surface<void, type> : public surfaceReference {
  constexpr surface() : surfaceReference{} {}
};
#endif

#endif
