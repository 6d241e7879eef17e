// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image formats and image types between the API's numbers and the runtime's.
#pragma once

#include "icd/opencl/cl.h"
#include "icd/opencl/context.h"
#include "runtime/device/image.h"

#include <optional>
#include <vector>

namespace us::opencl {

/// InvalidImageFormatDescriptor: null, or a pair that the specification does not allow; ImageFormatNotSupported: one
/// that no device could store (runtime/core/image.h, pixelSize).
Expected<ImageFormat> imageFormatFrom(const cl_image_format *format);
cl_image_format imageFormatOf(const ImageFormat &format);

/// None for what is no type of image.
std::optional<ImageKind> imageKindFrom(cl_mem_object_type type);

/// Whether images of this kind may have this format: depth images are 2D images or arrays of them.
bool formatSuits(const ImageFormat &format, ImageKind kind);

/// The formats a device offers for a set of memory flags and a kind of image, in the device's order.
std::vector<ImageFormat> formatsFor(const DeviceInfo &device, cl_mem_flags flags, ImageKind kind);

} // namespace us::opencl
