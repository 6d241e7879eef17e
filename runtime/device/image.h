// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers in no API's terms: what an image is made of, and what a device makes of it.
// docs/decisions/0013-images.md says how an image reaches a kernel.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace us {

/// Which channels a pixel has and where they go. OpenCL C's get_image_channel_order returns 0x10B0 plus the number.
enum class ChannelOrder : uint8_t {
  R,
  A,
  RG,
  RA,
  RGB,
  RGBA,
  BGRA,
  ARGB,
  Intensity,
  Luminance,
  Rx,
  RGx,
  RGBx,
  Depth,
  DepthStencil,
  sRGB,
  sRGBx,
  sRGBA,
  sBGRA,
  ABGR,
};

/// How a channel is stored. OpenCL C's get_image_channel_data_type returns 0x10D0 plus the number.
enum class ChannelType : uint8_t {
  SnormInt8,
  SnormInt16,
  UnormInt8,
  UnormInt16,
  UnormShort565,
  UnormShort555,
  UnormInt101010,
  SignedInt8,
  SignedInt16,
  SignedInt32,
  UnsignedInt8,
  UnsignedInt16,
  UnsignedInt32,
  HalfFloat,
  Float,
  UnormInt24,
  UnormInt101010_2,
};

struct ImageFormat {
  ChannelOrder order = ChannelOrder::RGBA;
  ChannelType type = ChannelType::UnormInt8;
  bool operator==(const ImageFormat &) const = default;
};

enum class ImageKind : uint8_t { Image1D, Image1DBuffer, Image1DArray, Image2D, Image2DArray, Image3D };

/// An image in linear memory. Sizes a kind does not have are 1 (height of a 1D image, depth of a 2D image, arraySize of
/// what is no array). Sizes and pitches of a mipmap are those of its first level.
struct ImageDescription {
  ImageKind kind = ImageKind::Image2D;
  ImageFormat format;
  uint64_t width = 1, height = 1, depth = 1; ///< pixels
  uint64_t arraySize = 1;                    ///< layers
  uint64_t elementSize = 4;                  ///< bytes of a pixel
  uint64_t rowPitch = 0;                     ///< bytes from a row to the next (a 1D array: as slicePitch)
  uint64_t slicePitch = 0;                   ///< bytes from a slice or layer to the next
  uint32_t levels = 1;                       ///< of a mipmap; they lie one behind the other
};

/// A level of a mipmap as an image of one level, and where it begins.
struct ImageLevel {
  ImageDescription image;
  uint64_t offset = 0; ///< bytes from the first level's first pixel
};
/// Each level is half as large as the one before, rounded down, and no size is less than 1; layers stay. Rows of all
/// but the first lie together. `level` may be the number of levels: it begins where the image ends.
ImageLevel levelOf(const ImageDescription &image, uint32_t level);

enum class AddressingMode : uint8_t { None, ClampToEdge, Clamp, Repeat, MirroredRepeat };
enum class FilterMode : uint8_t { Nearest, Linear };

struct SamplerDescription {
  bool normalizedCoordinates = true;
  AddressingMode addressing = AddressingMode::Clamp;
  FilterMode filter = FilterMode::Nearest;
  FilterMode mipFilter = FilterMode::Nearest;                          ///< of a mipmap: between two levels
  float leastLevel = 0, mostLevel = std::numeric_limits<float>::max(); ///< what a level of detail is clamped to
};

/// What a kernel gets for a sampler, as an argument (8 bytes) or as a literal of OpenCL C: bit 0 normalized
/// coordinates, bits 1 to 3 the addressing mode's number, bit 4 nearest, bit 5 linear, bit 6 linear between the levels
/// of a mipmap. Bits 16 to 39 are the upper ones of the least level of detail, bits 40 to 63 those of the largest one,
/// which are inverted where they differ from the default's: a literal has zeros there.
constexpr uint64_t samplerBits(const SamplerDescription &sampler) {
  const auto upper = [](float level) { return uint64_t(std::bit_cast<uint32_t>(level) >> 8); };
  return (sampler.normalizedCoordinates ? 1u : 0u) | static_cast<uint32_t>(sampler.addressing) << 1 |
         (sampler.filter == FilterMode::Linear ? 0x20u : 0x10u) |
         (sampler.mipFilter == FilterMode::Linear ? 0x40u : 0u) | upper(sampler.leastLevel) << 16 |
         (upper(sampler.mostLevel) ^ upper(SamplerDescription().mostLevel)) << 40;
}

/// An image as one device sees it: a view of memory that the caller keeps alive.
class DeviceImage {
public:
  virtual ~DeviceImage() = default;
  virtual const ImageDescription &description() const = 0;
  /// The 8 bytes that a launch's argument block holds for this image; valid while this object lives.
  virtual uint64_t argument() const = 0;
};

} // namespace us
