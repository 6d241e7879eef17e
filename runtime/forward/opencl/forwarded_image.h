// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of a real device: its driver's own, laid out as the driver likes, or made of what lies in a buffer or an image
// of the driver's.
#pragma once

#include "runtime/device/image.h"
#include "runtime/forward/opencl/forwarded_memory.h"

#include <memory>

namespace us::forward {

/// A new image of the driver's, that commands can write; it is the caller's.
Expected<cl_mem> createDriversImage(const RealDevice &device, const ImageDescription &image);

/// What kernels get of an image: its argument is the address of this object.
class ForwardedImage final : public DeviceImage {
public:
  /// The image that the memory at `place` is, or one that the driver makes of it.
  static Expected<std::unique_ptr<DeviceImage>> create(Ref<RealDevice> device, const ImageDescription &image,
                                                       MemoryPlace place);
  ~ForwardedImage() override { device_->call().clReleaseMemObject(object_); }

  const ImageDescription &description() const override { return description_; }
  uint64_t argument() const override { return reinterpret_cast<uint64_t>(this); }
  static const ForwardedImage &of(uint64_t argument) { return *reinterpret_cast<const ForwardedImage *>(argument); }
  cl_mem object() const { return object_; }

private:
  ForwardedImage(Ref<RealDevice> device, const ImageDescription &description, cl_mem object)
      : device_(std::move(device)), description_(description), object_(object) {}

  const Ref<RealDevice> device_;
  const ImageDescription description_;
  const cl_mem object_;
};

} // namespace us::forward
