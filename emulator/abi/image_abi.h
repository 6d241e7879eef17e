// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an image argument points to. The builtin library reads these fields through its image family
// (same layout, checked by a test); code generation replaces `order`, `type` and samplers by constants where a launch's
// arguments are known (docs/decisions/0013-images.md). A change here changes kAbiVersion.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace us::abi {

/// 64 bytes, 64-byte aligned; constant while a launch runs. Those of a mipmap's further levels lie behind the first.
struct alignas(64) ImageDescriptor {
  std::byte *data = nullptr;                 ///< the first pixel
  uint64_t rowPitch = 0;                     ///< bytes
  uint64_t slicePitch = 0;                   ///< bytes, of a slice or layer
  uint32_t width = 1, height = 1, depth = 1; ///< pixels; 1 where the kind has none
  uint32_t arraySize = 1;                    ///< layers
  uint32_t order = 0;                        ///< number of us::ChannelOrder
  uint32_t type = 0;                         ///< number of us::ChannelType
  uint32_t elementSize = 0;                  ///< bytes of a pixel
  uint32_t mipLevels = 1;                    ///< of the image: so many descriptors there are, from the first
  uint32_t samples = 0, reserved = 0;        ///< what the queries answer
};
static_assert(sizeof(ImageDescriptor) == 64);

/// What code may be specialized on of an image argument; never changes for one image.
struct ImageFact {
  uint32_t order = 0, type = 0, elementSize = 1;
  auto operator<=>(const ImageFact &) const = default;
};

/// What Specialization::opaque holds for an image or sampler argument: 15 bits and one that says that it is known.
inline constexpr uint16_t kOpaqueKnown = 0x8000;
constexpr uint16_t opaqueBits(const ImageFact &fact) {
  if (fact.order > 31 || fact.type > 31 || fact.elementSize < 1 || fact.elementSize > 32) return 0;
  return static_cast<uint16_t>(kOpaqueKnown | fact.order | fact.type << 5 | (fact.elementSize - 1) << 10);
}
constexpr uint16_t opaqueBits(uint64_t samplerBits) {
  return samplerBits < kOpaqueKnown ? static_cast<uint16_t>(kOpaqueKnown | samplerBits) : 0;
}
constexpr ImageFact imageFactFrom(uint16_t bits) { return {bits & 31u, bits >> 5 & 31u, (bits >> 10 & 31u) + 1}; }
constexpr uint64_t samplerBitsFrom(uint16_t bits) { return bits & 0x7fffu; }

} // namespace us::abi
