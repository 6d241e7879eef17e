// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills of a driver's images.
#pragma once

#include "runtime/device/command.h"
#include "runtime/forward/opencl/completion.h"
#include "runtime/forward/opencl/forwarded_memory.h"

namespace us::forward {

/// One side of a copy: memory of the device, or of the host.
struct Side {
  MemoryPlace place; ///< without memory: the host's
  std::byte *host = nullptr;
  PitchedLayout layout; ///< from the beginning of the device's memory, or of the host's
  bool isImage() const { return place.memory && place.memory->image(); }
};

/// Copies {bytes, rows, slices}, where one side at least is an image.
Expected<Begun> beginImageCopy(const RealQueue &on, const Side &to, const Side &from, const Size3 &region);
/// Repeats the command's pattern over the image, which `to` is, as it lies there.
Expected<Begun> beginImageFill(const RealQueue &on, const Side &to, const FillCommand &fill);

} // namespace us::forward
