// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds and formats of images as drivers number them.
#pragma once

#include "runtime/device/image.h"

#include <CL/cl.h>

#include <optional>

namespace us::forward {

cl_mem_object_type driversType(ImageKind kind);
cl_image_format driversFormat(const ImageFormat &format);
/// Nothing for a format that we do not know, or of which sources disagree how many bytes a pixel has.
std::optional<ImageFormat> formatFrom(const cl_image_format &format);

} // namespace us::forward
