// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image: pixels in linear memory, seen by each device through a DeviceImage that is made at its first use there. The
// memory is a Buffer of the image's own, or a view of another object's (an image made from a buffer or an image).
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/core/buffer.h"
#include "runtime/device/device.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace us::core {

/// Whether the specification lets this order and this type be combined.
bool isImageFormat(const ImageFormat &format);

/// Bytes of a pixel; 0 for what is no format, and for the orders Rx, RGx, RGBx, sRGB and sRGBx with any type: sources
/// disagree on whether a channel that is ignored is stored, and on the alpha of such a border (the specification says
/// 0, Khronos's tests want 1), and RGB has the same packed pixels; "the number of bits per element ... must be a power
/// of two", which three channels of one size never are.
uint32_t pixelSize(const ImageFormat &format);

/// Bytes from the first pixel to the end of the last row's pitch, of the last level.
uint64_t imageBytes(const ImageDescription &image);

/// The largest sizes that a device has for images of a kind; 1 for what the kind has not.
struct ImageLimits {
  uint64_t width, height, depth, layers;
};
ImageLimits imageLimits(const DeviceInfo &device, ImageKind kind);
/// Whether an image is within them.
bool isWithin(const ImageLimits &most, const ImageDescription &image);

/// Whether a device can have such an image: Unsupported (no images), InvalidImageSize, ImageFormatNotSupported.
Expected<void> checkImage(const DeviceInfo &device, const ImageDescription &image);

struct ImageRequest {
  ImageDescription description; ///< with pitches, which are those of the host's memory too
  HostMemory hostMemory = HostMemory::None;
  std::byte *hostPointer = nullptr;    ///< Use: the memory
  Ref<SvmAllocation> shared{};         ///< as BufferRequest's
  const std::byte *copyFrom = nullptr; ///< initial contents, taken before create returns
  const CallSite *madeAt = nullptr;    ///< as BufferRequest's
};

class Image final : public Object {
public:
  /// MemObjectAllocationFailure if it is larger than every device's largest allocation, or, with copyFrom, if there is
  /// no memory for it. Without, no memory is made yet.
  static Expected<Ref<Image>> create(Context &context, const ImageRequest &request);
  /// The pixels are those at the beginning of `memory`, which the caller has found large enough.
  static Ref<Image> createFrom(Buffer &memory, const ImageDescription &description);

  const ImageDescription &description() const { return description_; }
  /// What it lies in: maps, references, callbacks and the account are this object's affair.
  Buffer &memory() const { return *memory_; }

  /// Where the box that begins at pixel (x, y, z) of a level lies in memory(). A layer of an array counts as y of 1D
  /// images, as z of 2D images.
  PitchedLayout layoutAt(const Size3 &origin, uint32_t level = 0) const;
  /// A region of pixels (layers as above) as {bytes, rows, slices}.
  Size3 bytesOf(const Size3 &region) const;

  /// The image as a device has it, made at the first call, as is its memory. Errors of checkImage, Buffer::memoryOn and
  /// Device::createImage.
  Expected<DeviceImage *> on(Device &device);

  const Ref<WeakLink<Image>> &weak() const { return weak_; }

private:
  Image(Ref<Buffer> memory, const ImageDescription &description);
  void lastReferenceGone() override;

  const Ref<Buffer> memory_;
  const ImageDescription description_;
  const Ref<WeakLink<Image>> weak_;

  std::mutex mutex_; // guards places_
  std::vector<std::pair<Ref<Device>, std::unique_ptr<DeviceImage>>> places_;
};

} // namespace us::core
