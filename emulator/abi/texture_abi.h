// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels find behind a texture's 64-bit handle, and in variables that stand for a texture. Whoever makes one
// writes all of it; the builtin family opencl/texture reads it, with a structure of the same layout. A change here
// changes kAbiVersion.
#pragma once

#include "runtime/device/texture.h"

#include <algorithm>
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

/// What code may be specialized on of a texture that an argument is the handle of.
struct TextureFact {
  uint32_t type = 0, channels = 1, mode = 0;

  uint32_t elementSize() const {
    constexpr uint32_t kBytes[] = {1, 2, 4, 1, 2, 4, 2, 4}; // by TexelType
    return kBytes[type] * channels;
  }
};

/// What Specialization::opaque holds for such an argument; 0: more would have to be said. In 15 bits there is no room
/// for the third dimension's addressing: it is the first one's, or wraps.
constexpr uint16_t textureBits(const TextureDescriptor &texture) {
  constexpr uint32_t kModes = kTextureNormalized | kTextureLinear | kTextureSrgb | kTextureInteger | kTextureMemory;
  const uint32_t x = texture.mode >> 8 & 3, y = texture.mode >> 10 & 3, z = texture.mode >> 12 & 3;
  const bool isPlain = !texture.levels && (texture.mode & ~(kModes | 0x3f00u)) == 0 && (z == x || z == 0);
  const bool isKnown = texture.type < 8 && (texture.channels == 1 || texture.channels == 2 || texture.channels == 4);
  if (!isPlain || !isKnown || TextureFact{texture.type, texture.channels}.elementSize() != texture.elementSize)
    return 0;
  const uint32_t modes = (texture.mode & 7u) | (texture.mode & (kTextureInteger | kTextureMemory)) >> 1;
  return static_cast<uint16_t>(0x8000u | texture.type | (texture.channels >> 1) << 3 | modes << 5 | x << 10 | y << 12 |
                               uint32_t(z == x) << 14);
}
constexpr TextureFact textureFactFrom(uint16_t bits) {
  const uint32_t modes = bits >> 5 & 31u, x = bits >> 10 & 3u, y = bits >> 12 & 3u, z = bits & 0x4000u ? x : 0;
  return {bits & 7u, std::max(1u, (bits >> 3 & 3u) * 2),
          (modes & 7u) | (modes & 24u) << 1 | x << 8 | y << 10 | z << 12};
}

} // namespace us::abi
