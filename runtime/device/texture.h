// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA's kernels find behind a texture's or surface's 64-bit handle, and in .texref, .samplerref and .surfref
// variables. Whoever makes one writes all of it; the builtin family opencl/texture reads it, with a
// structure of the same layout.
#pragma once

#include <cstddef>
#include <cstdint>

namespace us {

/// How a channel is stored; the numbers are those of opencl/texture/texture.h.
enum class TexelType : uint32_t { UInt8, UInt16, UInt32, SInt8, SInt16, SInt32, Half, Float };

enum class TextureAddressing : uint32_t { Wrap, Clamp, Mirror, Border };

/// Bits of TextureDescriptor::mode. The first five belong to the sampler, as does the addressing.
enum TextureMode : uint32_t {
  kTextureNormalized = 1, ///< coordinates run from 0 to 1
  kTextureLinear = 2,     ///< four or eight texels are mixed
  kTextureSrgb = 4,
  kTextureSeamless = 8,   ///< cube maps: filters reach across edges
  kTextureInteger = 16,   ///< integers stay integers
  kTextureMemory = 32,    ///< plain linear memory: no filter, no addressing
  kTextureMixLevels = 64, ///< of the sampler too: two mipmap levels are mixed
};
/// The addressing of a dimension stands at bit 8 and above, two bits each.
constexpr uint32_t addressingBits(uint32_t dimension, TextureAddressing mode) {
  return static_cast<uint32_t>(mode) << (8 + 2 * dimension);
}

/// 128 bytes; constant while a kernel runs. All zeros: every read gives zeros.
struct alignas(64) TextureDescriptor {
  std::byte *data = nullptr;
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

} // namespace us
