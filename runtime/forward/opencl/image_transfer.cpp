// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/image_transfer.h"

#include "runtime/forward/opencl/image_layout.h"
#include "runtime/forward/opencl/last_event.h"

#include <algorithm>
#include <array>

namespace us::forward {
namespace {

using Sizes = std::array<size_t, 3>;
Sizes sizes(const Size3 &size) { return {size[0], size[1], size[2]}; }

/// A buffer of the driver's that pixels pass through. Commands that use it keep it for as long as they need it.
class Staging {
public:
  static Expected<Staging> create(const RealDevice &device, uint64_t size) {
    cl_int code = CL_SUCCESS;
    Staging made(device);
    made.buffer_ = device.call().clCreateBuffer(device.context(), CL_MEM_READ_WRITE, size, nullptr, &code);
    US_CHECK(driverResult("clCreateBuffer", code));
    return Expected<Staging>(std::move(made));
  }
  Staging(Staging &&other) noexcept : device_(other.device_), buffer_(std::exchange(other.buffer_, nullptr)) {}
  ~Staging() {
    if (buffer_) device_.call().clReleaseMemObject(buffer_);
  }
  cl_mem buffer() const { return buffer_; }

private:
  explicit Staging(const RealDevice &device) : device_(device) {}
  const RealDevice &device_;
  cl_mem buffer_ = nullptr;
};

/// Of the rows, or of the slices, of a box: those at (y, z) alone.
PixelBox partOf(const PixelBox &box, uint64_t y, uint64_t rows, uint64_t z) {
  PixelBox part = box;
  part.origin[1] += y;
  part.origin[2] += z;
  part.region[1] = rows;
  part.region[2] = 1;
  part.other.offset += y * box.other.rowPitch + z * box.other.slicePitch;
  return part;
}

class ImageCopier {
public:
  ImageCopier(const RealQueue &on, LastEvent &last, const ForwardedMemory &image)
      : on_(on), last_(last), image_(image.object()), kind_(image.image()->kind), grid_(gridOf(*image.image())) {}

  Expected<void> host(const PixelBox &box, std::byte *host, bool reads) {
    uint64_t rowPitch = 0, slicePitch = 0;
    if (!pitches(box, rowPitch, slicePitch))
      return inParts(box, [&](const PixelBox &part) { return this->host(part, host, reads); });
    const cl_icd_dispatch &call = on_.call();
    const Sizes origin = sizes(box.origin), region = sizes(box.region);
    std::byte *const at = host + box.other.offset;
    cl_event event = nullptr;
    if (reads)
      return last_.keep("clEnqueueReadImage",
                        call.clEnqueueReadImage(on_.queue(), image_, CL_FALSE, origin.data(), region.data(), rowPitch,
                                                slicePitch, at, 0, nullptr, &event),
                        event);
    return last_.keep("clEnqueueWriteImage",
                      call.clEnqueueWriteImage(on_.queue(), image_, CL_FALSE, origin.data(), region.data(), rowPitch,
                                               slicePitch, at, 0, nullptr, &event),
                      event);
  }

  /// `isFrom`: the image is what is copied.
  Expected<void> buffer(const PixelBox &box, cl_mem buffer, bool isFrom) {
    // Between images and buffers, the driver's rows and slices lie together.
    const uint64_t row = box.region[0] * grid_.elementSize;
    const bool isPacked = (box.region[1] == 1 || box.other.rowPitch == row) &&
                          (box.region[2] == 1 || box.other.slicePitch == row * box.region[1]);
    if (!isPacked) return inParts(box, [&](const PixelBox &part) { return this->buffer(part, buffer, isFrom); });
    const cl_icd_dispatch &call = on_.call();
    const Sizes origin = sizes(box.origin), region = sizes(box.region);
    cl_event event = nullptr;
    const cl_int code = isFrom ? call.clEnqueueCopyImageToBuffer(on_.queue(), image_, buffer, origin.data(),
                                                                 region.data(), box.other.offset, 0, nullptr, &event)
                               : call.clEnqueueCopyBufferToImage(on_.queue(), buffer, image_, box.other.offset,
                                                                 origin.data(), region.data(), 0, nullptr, &event);
    // NVIDIA's driver 580 copies no layer of an array of 1D images but the first to or from a buffer; it reads and
    // writes all of them.
    if (code == CL_INVALID_VALUE && kind_ == ImageKind::Image1DArray) return byTheHost(box, buffer, isFrom);
    return last_.keep(isFrom ? "clEnqueueCopyImageToBuffer" : "clEnqueueCopyBufferToImage", code, event);
  }

  Expected<void> image(const Size3 &toOrigin, const ForwardedMemory &from, const Size3 &fromOrigin,
                       const Size3 &pixels) {
    const Sizes to = sizes(toOrigin), source = sizes(fromOrigin), region = sizes(pixels);
    cl_event event = nullptr;
    const cl_int code = on_.call().clEnqueueCopyImage(on_.queue(), from.object(), image_, source.data(), to.data(),
                                                      region.data(), 0, nullptr, &event);
    return last_.keep("clEnqueueCopyImage", code, event);
  }

  Expected<void> filledBuffer(cl_mem buffer, const FillCommand &fill, uint64_t size) {
    cl_event event = nullptr;
    const cl_int code = on_.call().clEnqueueFillBuffer(on_.queue(), buffer, fill.pattern.data(), fill.patternSize, 0,
                                                       size, 0, nullptr, &event);
    return last_.keep("clEnqueueFillBuffer", code, event);
  }

  const PixelGrid &grid() const { return grid_; }

private:
  /// What buffer() does, waiting: the pixels of the box lie together in the buffer.
  Expected<void> byTheHost(const PixelBox &box, cl_mem buffer, bool isFrom) {
    const cl_icd_dispatch &call = on_.call();
    const cl_command_queue queue = on_.queue();
    const Sizes origin = sizes(box.origin), region = sizes(box.region);
    std::vector<std::byte> pixels(box.region[0] * box.region[1] * box.region[2] * grid_.elementSize);
    const auto readOrWriteImage = [&](auto function) {
      return function(queue, image_, CL_TRUE, origin.data(), region.data(), 0, 0, pixels.data(), 0, nullptr, nullptr);
    };
    const auto readOrWriteBuffer = [&](auto function) {
      return function(queue, buffer, CL_TRUE, box.other.offset, pixels.size(), pixels.data(), 0, nullptr, nullptr);
    };
    if (isFrom) {
      US_CHECK(driverResult("clEnqueueReadImage", readOrWriteImage(call.clEnqueueReadImage)));
      US_CHECK(driverResult("clEnqueueWriteBuffer", readOrWriteBuffer(call.clEnqueueWriteBuffer)));
    } else {
      US_CHECK(driverResult("clEnqueueReadBuffer", readOrWriteBuffer(call.clEnqueueReadBuffer)));
      US_CHECK(driverResult("clEnqueueWriteImage", readOrWriteImage(call.clEnqueueWriteImage)));
    }
    cl_event event = nullptr;
    const cl_int code = call.clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event);
    return last_.keep("clEnqueueMarkerWithWaitList", code, event);
  }

  /// How the driver is told where the box lies in the host's memory: "If row_pitch ... is set to 0, the appropriate row
  /// pitch is calculated", and the slice pitch must be 0 where there are no slices. False if it cannot be told.
  bool pitches(const PixelBox &box, uint64_t &rowPitch, uint64_t &slicePitch) const {
    const uint64_t row = box.region[0] * grid_.elementSize;
    uint64_t least = row;
    if (box.region[1] > 1) {
      if (box.other.rowPitch < row) return false;
      rowPitch = box.other.rowPitch;
      // From a layer of an array of 1D images to the next it is the slice pitch; PoCL takes the row pitch.
      if (kind_ == ImageKind::Image1DArray) slicePitch = rowPitch;
      least = box.other.rowPitch * box.region[1];
    }
    if (box.region[2] > 1) {
      if (box.other.slicePitch < least) return false;
      slicePitch = box.other.slicePitch;
      // NVIDIA's driver 580 wants the one to be a multiple of the other (CL_INVALID_VALUE), which the row pitch that is
      // calculated may not be. Of slices of one row it says nothing else.
      if (box.region[1] == 1) rowPitch = slicePitch;
      if (slicePitch % rowPitch) return false;
    }
    return true;
  }

  /// Slice by slice, or row by row where there is one slice.
  template <class Copy> Expected<void> inParts(const PixelBox &box, Copy copy) {
    if (box.region[2] > 1) {
      for (uint64_t z = 0; z < box.region[2]; ++z) US_CHECK(copy(partOf(box, 0, box.region[1], z)));
    } else {
      for (uint64_t y = 0; y < box.region[1]; ++y) US_CHECK(copy(partOf(box, y, 1, 0)));
    }
    return {};
  }

  const RealQueue &on_;
  LastEvent &last_;
  const cl_mem image_;
  const ImageKind kind_;
  const PixelGrid grid_;
};

Expected<void> copyImages(const RealQueue &on, LastEvent &last, const Side &to, const Side &from, const Size3 &region) {
  ImageCopier target(on, last, *to.place.memory), source(on, last, *from.place.memory);
  const std::optional<PixelBox> toBox = boxOf(target.grid(), to.layout, region),
                                fromBox = boxOf(source.grid(), from.layout, region);
  if (!toBox || !fromBox || toBox->region != fromBox->region)
    return fail(ErrorCode::InvalidValue, "bytes of one image are copied to another that are no box of pixels in both");
  if (to.place.memory->image()->format == from.place.memory->image()->format)
    return target.image(toBox->origin, *from.place.memory, fromBox->origin, fromBox->region);
  // "CL_IMAGE_FORMAT_MISMATCH if src_image and dst_image do not use the same image format": one of the two is seen
  // through an image of another format that shares its pixels.
  const Size3 &pixels = fromBox->region;
  const uint64_t row = region[0];
  PixelBox out = *fromBox, in = *toBox;
  out.other = in.other = {0, row, row * pixels[1]};
  US_TRY(const Staging staging, Staging::create(on.device(), row * pixels[1] * pixels[2]));
  US_CHECK(source.buffer(out, staging.buffer(), true));
  return target.buffer(in, staging.buffer(), false);
}

Expected<void> copyImage(const RealQueue &on, LastEvent &last, const Side &to, const Side &from, const Size3 &region) {
  if (to.isImage() && from.isImage()) return copyImages(on, last, to, from, region);
  const bool isFrom = from.isImage();
  const Side &image = isFrom ? from : to, &other = isFrom ? to : from;
  ImageCopier copier(on, last, *image.place.memory);
  for (const PixelBox &box : boxesOf(copier.grid(), image.layout, other.layout, region)) {
    if (other.host) {
      US_CHECK(copier.host(box, other.host, isFrom));
    } else {
      US_CHECK(copier.buffer(box, other.place.memory->object(), isFrom));
    }
  }
  return {};
}

} // namespace

Expected<Begun> beginImageCopy(const RealQueue &on, const Side &to, const Side &from, const Size3 &region) {
  LastEvent last(on);
  US_CHECK(copyImage(on, last, to, from, region));
  return last.take();
}

Expected<Begun> beginImageFill(const RealQueue &on, const Side &to, const FillCommand &fill) {
  LastEvent last(on);
  ImageCopier copier(on, last, *to.place.memory);
  const uint64_t pixel = copier.grid().elementSize;
  if (fill.patternSize != pixel)
    return fail(ErrorCode::InvalidValue, "an image of pixels of " + std::to_string(pixel) +
                                             " bytes is filled with a pattern of " + std::to_string(fill.patternSize));
  // Pixels as they are stored, which the driver's own fill would make of a color once more, and round. A slice of them
  // is enough for all.
  std::vector<PixelBox> boxes = boxesOf(copier.grid(), to.layout, {}, {fill.size, fill.rows, fill.slices});
  uint64_t most = 0;
  for (const PixelBox &box : boxes) most = std::max(most, box.region[0] * box.region[1] * pixel);
  if (most == 0) return Begun{};
  US_TRY(const Staging staging, Staging::create(on.device(), most));
  US_CHECK(copier.filledBuffer(staging.buffer(), fill, most));
  for (PixelBox &box : boxes) {
    // Each slice is the same one.
    box.other = {0, box.region[0] * pixel, 0};
    US_CHECK(copier.buffer(box, staging.buffer(), false));
  }
  return last.take();
}

} // namespace us::forward
