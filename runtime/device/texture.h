// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces in no API's terms: texels in memory of a device, which kernels know by a 64-bit handle or by a
// variable of their program.
#pragma once

#include "runtime/base/ref.h"
#include "runtime/device/image.h"

#include <array>
#include <cstdint>
#include <vector>

namespace us {

/// How a channel is stored. The numbers are those of opencl/texture/texture.h, as are TextureAddressing's.
enum class TexelType : uint32_t { UInt8, UInt16, UInt32, SInt8, SInt16, SInt32, Half, Float };

enum class TextureAddressing : uint32_t { Wrap, Clamp, Mirror, Border };

/// Where texels lie, and what they are.
struct TexelLayout {
  uint64_t address = 0;                      ///< of the first
  uint64_t rowPitch = 0, slicePitch = 0;     ///< bytes
  uint32_t width = 0, height = 0, depth = 0; ///< texels; 1 where there is no such dimension
  uint32_t layers = 0;                       ///< of arrays; six for each cube
  TexelType type = TexelType::UInt8;
  uint32_t channels = 0;    ///< 1, 2 or 4
  uint32_t elementSize = 0; ///< bytes of a texel
  ImageFormat format;       ///< what kernels are told that ask
  bool operator==(const TexelLayout &) const = default;
};

/// How a texture is read.
struct TextureSampling {
  bool normalized = false;    ///< coordinates run from 0 to 1
  bool linear = false;        ///< four or eight texels are mixed
  bool srgb = false;          ///< bytes are sRGB's
  bool seamless = false;      ///< cube maps: filters reach across edges
  bool staysInteger = false;  ///< integers are read as such
  bool mixesLevels = false;   ///< two mipmap levels are mixed
  bool isPlainMemory = false; ///< no filter, no addressing
  std::array<TextureAddressing, 3> addressing{};
  std::array<uint32_t, 4> border{}; ///< the bits of floats, or of integers where these stay integers
  float levelBias = 0, leastLevel = 0, mostLevel = 0;
  bool operator==(const TextureSampling &) const = default;
};

/// A texture, or a surface: of that kernels look only at the texels.
struct TextureRequest {
  std::vector<TexelLayout> levels; ///< more than one: of mipmaps
  bool isMipmapped = false;        ///< there may still be only one level
  TextureSampling sampling;
  bool operator==(const TextureRequest &) const = default;
};

class DeviceTexture : public Object {
public:
  /// What kernels know it by, and no other thing while this object lives. Afterwards, until it is given to another, it
  /// is a texture of zeros.
  virtual uint64_t handle() const = 0;
};

/// A variable of a program that stands for a texture, to which BindCommand binds one.
struct TextureVariable {
  uint64_t address = 0;
  TextureSampling sampling; ///< as the program's text says
};

} // namespace us
