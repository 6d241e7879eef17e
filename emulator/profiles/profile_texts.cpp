// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/profiles/profile_data.h"

namespace us::profiles {

std::span<const ProfileText> profileTexts() {
  static constexpr ProfileText kTexts[] = {
#include "emulator/profiles/profiles.inc" // made by embed.cmake
  };
  return kTexts;
}

} // namespace us::profiles
