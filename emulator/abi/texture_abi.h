// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels find behind a texture's 64-bit handle, and in variables that stand for a texture. Whoever makes one
// writes all of it; the builtin family opencl/texture reads it, with a structure of the same layout. A change here
// changes kAbiVersion.
#pragma once

#include "runtime/device/texture.h"

#include <cstddef>
#include <cstdint>

namespace us::abi {

/// Bits of TextureDescriptor::mode. The first five belong to the sampler, as does the addressing.
enum TextureMode : uint32_t {
  kTextureNormalized = 1,
  kTextureLinear = 2,
  kTextureSrgb = 4,
  kTextureSeamless = 8,
  kTextureInteger = 16,
  kTextureMemory = 32,    ///< plain linear memory: no filter, no addressing
  kTextureMixLevels = 64, ///< of the sampler too
};
/// The addressing of a dimension stands at bit 8 and above, two bits each.
constexpr uint32_t addressingBits(uint32_t dimension, TextureAddressing mode) {
  return static_cast<uint32_t>(mode) << (8 + 2 * dimension);
}

/// 128 bytes; constant while a kernel runs. All zeros: every read gives zeros.
struct alignas(64) TextureDescriptor {
  uint64_t data = 0;                          ///< address
  uint64_t rowPitch = 0, slicePitch = 0;      ///< bytes
  uint32_t width = 0, height = 0, depth = 0;  ///< texels; 1 where there is no such dimension
  uint32_t layers = 0;                        ///< of arrays; six for each cube
  uint32_t type = 0;                          ///< TexelType
  uint32_t channels = 0;                      ///< 1, 2 or 4
  uint32_t elementSize = 0;                   ///< bytes of a texel
  uint32_t mode = 0;                          ///< TextureMode, and addressing
  uint32_t border[4] = {0, 0, 0, 0};          ///< as floats, or integers where these stay integers
  uint32_t channelOrder = 0, channelType = 0; ///< what the queries answer
  const TextureDescriptor *levels = nullptr;  ///< of mipmaps: a descriptor each; null: there is this one
  uint32_t levelCount = 0;
  float levelBias = 0, leastLevel = 0, mostLevel = 0; ///< of the sampler
  uint32_t reserved[6] = {};
};
static_assert(sizeof(TextureDescriptor) == 128 && offsetof(TextureDescriptor, border) == 56 &&
              offsetof(TextureDescriptor, levels) == 80);

} // namespace us::abi
