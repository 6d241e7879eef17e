// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image as generated code sees it: the descriptor that a kernel's argument points to.
#pragma once

#include "emulator/abi/image_abi.h"
#include "runtime/device/image.h"

#include <vector>

namespace us::emulator {

class EmulatedImage final : public DeviceImage {
public:
  /// `memory`: the first pixel; kept alive by the caller.
  EmulatedImage(const ImageDescription &description, std::byte *memory);
  const ImageDescription &description() const override { return description_; }
  uint64_t argument() const override { return reinterpret_cast<uint64_t>(levels_.data()); }
  const abi::ImageDescriptor &descriptor() const { return levels_.front(); }

private:
  const ImageDescription description_;
  const std::vector<abi::ImageDescriptor> levels_; ///< one each
};

} // namespace us::emulator
