// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colours become pixels: what a fill writes, converted as kernels' image writes convert.
#pragma once

#include "runtime/device/image.h"

#include <array>
#include <cstddef>

namespace us::core {

/// A pixel of a format that pixelSize knows, from a colour of four components, red first: int32_t for the signed
/// integer types, uint32_t for the unsigned ones, float for all others (one float for Depth). Read before it returns;
/// any alignment.
std::array<std::byte, 16> pixelOf(const ImageFormat &format, const void *colour);

} // namespace us::core
