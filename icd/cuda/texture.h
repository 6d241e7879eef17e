// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What textures and surfaces look into, and what a device is asked for (runtime/device/texture.h).
#pragma once

#include "icd/cuda/array.h"
#include "runtime/device/texture.h"

namespace us::cuda {

/// One texture: what it looks into, and how it is read.
struct TextureSource {
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC texture{};
  std::optional<CUDA_RESOURCE_VIEW_DESC> view;
  Ref<Array> array;            ///< where the resource is one: kept; of mipmaps the first level that is seen
  Ref<MipmappedArray> mipmaps; ///< kept
};

/// Format and channels of texels that textures can have: CUDA_ERROR_INVALID_VALUE.
Expected<void> checkTexels(CUarray_format format, unsigned channels);
/// "CU_TRSF_*".
Expected<void> checkTextureFlags(unsigned flags);
Expected<void> checkAddressMode(CUaddress_mode mode);
Expected<void> checkFilterMode(CUfilter_mode mode);
/// A texture's memory: it begins at TEXTURE_ALIGNMENT and is not wider than the device allows.
Expected<void> checkLinear(const Device &device, uint64_t pointer, CUarray_format format, unsigned channels,
                           uint64_t bytes);
/// The same of rows; `checksPitch`: they begin at multiples of TEXTURE_PITCH_ALIGNMENT.
Expected<void> checkRows(const Device &device, uint64_t pointer, CUarray_format format, unsigned channels,
                         uint64_t width, uint64_t height, uint64_t pitch, bool checksPitch);
uint64_t textureAlignment(const Device &device);

/// For a source that was checked, and is kept as long as the texture.
TextureRequest requestOf(const TextureSource &source);
/// A surface's; the array has CUDA_ARRAY3D_SURFACE_LDST.
TextureRequest requestOfSurface(const Array &array);
/// CUDA_ERROR_INVALID_VALUE where surfaces cannot be made on the array.
Expected<void> checkSurface(const Array &array);

/// A context that is destroyed takes its objects with it.
void forgetTexturesOf(const Context &context);

} // namespace us::cuda
