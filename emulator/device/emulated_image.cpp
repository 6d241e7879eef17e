// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_image.h"

namespace us::emulator {

EmulatedImage::EmulatedImage(const ImageDescription &description, std::byte *memory) : description_(description) {
  descriptor_.data = memory;
  descriptor_.rowPitch = description.rowPitch;
  descriptor_.slicePitch = description.slicePitch;
  // No device's limits are beyond 32 bits: what is larger was refused.
  descriptor_.width = static_cast<uint32_t>(description.width);
  descriptor_.height = static_cast<uint32_t>(description.height);
  descriptor_.depth = static_cast<uint32_t>(description.depth);
  descriptor_.arraySize = static_cast<uint32_t>(description.arraySize);
  descriptor_.order = static_cast<uint32_t>(description.format.order);
  descriptor_.type = static_cast<uint32_t>(description.format.type);
  descriptor_.elementSize = static_cast<uint32_t>(description.elementSize);
}

} // namespace us::emulator
