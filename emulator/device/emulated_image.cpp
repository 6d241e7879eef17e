// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_image.h"

namespace us::emulator {
namespace {

abi::ImageDescriptor descriptorOf(const ImageDescription &image, std::byte *pixels) {
  abi::ImageDescriptor descriptor;
  descriptor.data = pixels;
  descriptor.rowPitch = image.rowPitch;
  descriptor.slicePitch = image.slicePitch;
  // No device's limits are beyond 32 bits: what is larger was refused.
  descriptor.width = static_cast<uint32_t>(image.width);
  descriptor.height = static_cast<uint32_t>(image.height);
  descriptor.depth = static_cast<uint32_t>(image.depth);
  descriptor.arraySize = static_cast<uint32_t>(image.arraySize);
  descriptor.order = static_cast<uint32_t>(image.format.order);
  descriptor.type = static_cast<uint32_t>(image.format.type);
  descriptor.elementSize = static_cast<uint32_t>(image.elementSize);
  return descriptor;
}

std::vector<abi::ImageDescriptor> levelsOf(const ImageDescription &image, std::byte *pixels) {
  std::vector<abi::ImageDescriptor> levels;
  for (uint32_t i = 0; i < image.levels; ++i) {
    const ImageLevel level = levelOf(image, i);
    levels.push_back(descriptorOf(level.image, pixels + level.offset));
    levels.back().mipLevels = image.levels;
  }
  return levels;
}

} // namespace

EmulatedImage::EmulatedImage(const ImageDescription &description, std::byte *memory)
    : description_(description), levels_(levelsOf(description, memory)) {}

} // namespace us::emulator
