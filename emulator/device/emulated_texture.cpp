// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_texture.h"

#include <algorithm>

namespace us::emulator {
namespace {

/// The queries' numbers are those of OpenCL C.
constexpr uint32_t kOrderBase = 0x10B0, kTypeBase = 0x10D0;

struct ModeRow {
  bool TextureSampling::*says;
  abi::TextureMode bit;
};
constexpr ModeRow kModes[] = {
    {&TextureSampling::normalized, abi::kTextureNormalized},
    {&TextureSampling::linear, abi::kTextureLinear},
    {&TextureSampling::srgb, abi::kTextureSrgb},
    {&TextureSampling::seamless, abi::kTextureSeamless},
    {&TextureSampling::staysInteger, abi::kTextureInteger},
    {&TextureSampling::isPlainMemory, abi::kTextureMemory},
    {&TextureSampling::mixesLevels, abi::kTextureMixLevels},
};

abi::TextureDescriptor descriptorOf(const TexelLayout &texels, const TextureSampling &sampling) {
  abi::TextureDescriptor d;
  d.data = texels.address;
  d.rowPitch = texels.rowPitch;
  d.slicePitch = texels.slicePitch;
  d.width = texels.width;
  d.height = texels.height;
  d.depth = texels.depth;
  d.layers = texels.layers;
  d.type = uint32_t(texels.type);
  d.channels = texels.channels;
  d.elementSize = texels.elementSize;
  for (const ModeRow &row : kModes)
    if (sampling.*row.says) d.mode |= row.bit;
  for (uint32_t i = 0; i < 3; ++i) d.mode |= abi::addressingBits(i, sampling.addressing[i]);
  std::ranges::copy(sampling.border, d.border);
  d.channelOrder = kOrderBase + uint32_t(texels.format.order);
  d.channelType = kTypeBase + uint32_t(texels.format.type);
  d.levelBias = sampling.levelBias;
  d.leastLevel = sampling.leastLevel;
  d.mostLevel = sampling.mostLevel;
  return d;
}

std::vector<abi::TextureDescriptor> levelsOf(const TextureRequest &request) {
  std::vector<abi::TextureDescriptor> levels;
  if (request.isMipmapped)
    for (const TexelLayout &level : request.levels) levels.push_back(descriptorOf(level, request.sampling));
  return levels;
}

} // namespace

abi::TextureDescriptor *TexturePool::take(const abi::TextureDescriptor &descriptor) {
  std::lock_guard hold(mutex_);
  abi::TextureDescriptor *slot = nullptr;
  if (free_.empty()) {
    slot = &slots_.emplace_back();
    handles_.insert(reinterpret_cast<uint64_t>(slot));
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  *slot = descriptor;
  return slot;
}

abi::TextureDescriptor TexturePool::at(uint64_t handle) {
  std::lock_guard hold(mutex_);
  if (!handles_.contains(handle)) return {};
  return *reinterpret_cast<const abi::TextureDescriptor *>(handle);
}

void TexturePool::give(abi::TextureDescriptor *descriptor) {
  std::lock_guard hold(mutex_);
  *descriptor = {};
  free_.push_back(descriptor);
}

EmulatedTexture::EmulatedTexture(Ref<TexturePool> pool, const TextureRequest &request)
    : pool_(std::move(pool)), levels_(levelsOf(request)), descriptor_(pool_->take([&] {
        abi::TextureDescriptor first = descriptorOf(request.levels.front(), request.sampling);
        if (levels_.empty()) return first;
        first.levels = levels_.data();
        first.levelCount = uint32_t(levels_.size());
        return first;
      }())) {}

TextureSampling samplingOf(const abi::TextureDescriptor &descriptor) {
  TextureSampling sampling;
  for (const ModeRow &row : kModes) sampling.*row.says = (descriptor.mode & row.bit) != 0;
  for (uint32_t i = 0; i < 3; ++i) sampling.addressing[i] = TextureAddressing(descriptor.mode >> (8 + 2 * i) & 3);
  return sampling;
}

} // namespace us::emulator
