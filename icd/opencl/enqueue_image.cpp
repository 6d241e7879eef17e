// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enqueue calls on images: read, write, copy to images and buffers and from buffers, fill.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/image_region.h"
#include "runtime/core/pixel.h"

#include <cstring>

namespace us::opencl {
namespace {

/// How a region lies in the host's memory, by the pitches of a call.
Expected<PitchedLayout> hostLayout(const ClMem &image, const Size3 &region, size_t rowPitch, size_t slicePitch) {
  const uint64_t row = region[0] * image.image->description().elementSize;
  // "This value must be greater than or equal to the element size in bytes x width. If row_pitch ... is set to 0, the
  // appropriate row pitch is calculated based on the size of each element in bytes multiplied by width."
  if (rowPitch && rowPitch < row)
    return fail(ErrorCode::InvalidValue, icd::format("a row pitch of {} for rows of {} bytes", rowPitch, row));
  PitchedLayout layout;
  layout.rowPitch = rowPitch ? rowPitch : row;
  // "CL_INVALID_VALUE if image is a 1D or 2D image and slice_pitch or input_slice_pitch is not zero"
  if (slicePitch && !hasSlices(image))
    return fail(ErrorCode::InvalidValue, icd::format("a slice pitch of {} for an image without slices", slicePitch));
  // "this value must be greater than or equal to row_pitch x height. If slice_pitch ... is set to 0, the appropriate
  // slice pitch is calculated based on the row_pitch x height": the height of an image of an array of 1D images is 1.
  const bool layersAreRows = image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  uint64_t least = 0;
  if (__builtin_mul_overflow(layout.rowPitch, layersAreRows ? 1 : region[1], &least) ||
      (slicePitch && slicePitch < least))
    return fail(ErrorCode::InvalidValue,
                icd::format("a slice pitch of {} for {} rows of pitch {}", slicePitch, region[1], layout.rowPitch));
  layout.slicePitch = slicePitch ? slicePitch : least;
  if (layersAreRows) layout.rowPitch = layout.slicePitch;
  // What the rows span must be a size that memory can have: else the last one would begin before the pointer.
  uint64_t rows = 0, slices = 0, end = 0;
  if (__builtin_mul_overflow(layout.rowPitch, region[1] - 1, &rows) ||
      __builtin_mul_overflow(layout.slicePitch, region[2] - 1, &slices) || __builtin_add_overflow(rows, slices, &end) ||
      __builtin_add_overflow(end, row, &end) || end > INT64_MAX)
    return fail(ErrorCode::InvalidValue,
                icd::format("{} slices of pitch {}, of {} rows of pitch {}: no memory is that large", region[2],
                            layout.slicePitch, region[1], layout.rowPitch));
  return layout;
}

Expected<void> transfer(cl_command_queue queue, cl_command_type type, cl_mem handle, cl_bool blocking,
                        const size_t *origin, const size_t *region, size_t rowPitch, size_t slicePitch,
                        const void *pointer, const EventParameters &events) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, type, events));
  US_TRY(ClMem & image, command.image(handle));
  bool reads = type == CL_COMMAND_READ_IMAGE;
  // "CL_INVALID_OPERATION if clEnqueueReadImage is called on image which has been created with CL_MEM_HOST_WRITE_ONLY
  // or CL_MEM_HOST_NO_ACCESS"; "if clEnqueueWriteImage is called on image which has been created with
  // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS"
  if (image.flags & ((reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY) | CL_MEM_HOST_NO_ACCESS))
    return fail(ErrorCode::InvalidOperation, "the image was created without this access for the host");
  if (!reads) US_CHECK(checkIsMutable(image));
  US_TRY(ImageRegion box, imageRegionFrom(image, origin, region));
  US_TRY(PitchedLayout hostSide, hostLayout(image, box.region, rowPitch, slicePitch));
  // "CL_INVALID_VALUE if ptr is NULL"
  if (!pointer) return fail(ErrorCode::InvalidValue, "the host pointer is NULL");
  US_TRY(std::byte * address, command.addressOf(image));
  auto *host = static_cast<std::byte *>(const_cast<void *>(pointer));
  const PitchedLayout imageSide = image.image->layoutAt(box.origin, box.level);
  const Size3 bytes = image.image->bytesOf(box.region);
  if (reads)
    command.request.command = CopyCommand{host, hostSide, address, imageSide, bytes};
  else
    command.request.command = CopyCommand{address, imageSide, host, hostSide, bytes};
  return command.go(blocking);
}

/// Whether two boxes of different memory objects share a byte.
bool overlap(const ClMem &a, PitchedLayout layoutA, const ClMem &b, PitchedLayout layoutB, const Size3 &region) {
  if (!a.buffer->overlaps(*b.buffer)) return false;
  layoutA.offset += a.buffer->origin();
  layoutB.offset += b.buffer->origin();
  return boxesOverlap(layoutA, layoutB, region);
}

/// How a region of an image lies in a buffer: rows and slices together, from `offset`.
Expected<PitchedLayout> bufferLayout(const ClMem &buffer, const Size3 &bytes, size_t offset) {
  // "CL_INVALID_VALUE if the region specified by dst_offset and the computed dst_cb is out of bounds of dst_buffer":
  // the image's memory exists, so the product cannot overflow.
  const uint64_t all = bytes[0] * bytes[1] * bytes[2], size = buffer.buffer->size();
  if (offset > size || all > size - offset)
    return fail(ErrorCode::InvalidValue, icd::format("{} bytes from {} of a buffer of {}", all, offset, size));
  return PitchedLayout{offset, bytes[0], bytes[0] * bytes[1]};
}

/// Between an image and a buffer; the same for both directions but for the order.
Expected<void> copyBetween(CommandBuilder &command, bool toBuffer, cl_mem imageHandle, cl_mem bufferHandle,
                           const size_t *origin, const size_t *region, size_t offset) {
  US_TRY(ClMem & image, command.image(imageHandle));
  US_TRY(ClMem & buffer, command.buffer(bufferHandle));
  US_CHECK(checkIsMutable(toBuffer ? buffer : image));
  // "CL_INVALID_MEM_OBJECT if src_image is a 1D image buffer object created from dst_buffer"; "if dst_image is a 1D
  // image buffer object created from src_buffer"
  if (image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image.parent.get() == &buffer)
    return fail(ErrorCode::InvalidMemObject, "the image lies in this buffer");
  US_TRY(ImageRegion box, imageRegionFrom(image, origin, region));
  const Size3 bytes = image.image->bytesOf(box.region);
  US_TRY(PitchedLayout bufferSide, bufferLayout(buffer, bytes, offset));
  const PitchedLayout imageSide = image.image->layoutAt(box.origin, box.level);
  // Not said of images that lie in buffers, but the same as for any two objects that share memory.
  if (overlap(image, imageSide, buffer, bufferSide, bytes))
    return fail(ErrorCode::MemCopyOverlap, "the image's region and the buffer's share memory");
  US_TRY(std::byte * pixels, command.addressOf(image));
  US_TRY(std::byte * linear, command.addressOf(buffer));
  if (toBuffer)
    command.request.command = CopyCommand{linear, bufferSide, pixels, imageSide, bytes};
  else
    command.request.command = CopyCommand{pixels, imageSide, linear, bufferSide, bytes};
  return command.enqueue();
}

Expected<void> copyImage(CommandBuilder &command, cl_mem fromHandle, cl_mem toHandle, const size_t *fromOrigin,
                         const size_t *toOrigin, const size_t *region) {
  US_TRY(ClMem & from, command.image(fromHandle));
  US_TRY(ClMem & to, command.image(toHandle));
  US_CHECK(checkIsMutable(to));
  // "CL_IMAGE_FORMAT_MISMATCH if src_image and dst_image do not use the same image format"
  if (from.image->description().format != to.image->description().format)
    return fail(ErrorCode::ImageFormatMismatch,
                icd::format("from order {:#x} and type {:#x} to order {:#x} and type {:#x}",
                            from.format.image_channel_order, from.format.image_channel_data_type,
                            to.format.image_channel_order, to.format.image_channel_data_type));
  // "if the 2D or 3D rectangular region specified by src_origin and region refers to a region outside src_image", "...
  // dst_origin and region ... outside dst_image"
  US_TRY(ImageRegion source, imageRegionFrom(from, fromOrigin, region));
  US_TRY(ImageRegion target, imageRegionFrom(to, toOrigin, region));
  const PitchedLayout fromLayout = from.image->layoutAt(source.origin, source.level),
                      toLayout = to.image->layoutAt(target.origin, target.level);
  const Size3 bytes = from.image->bytesOf(source.region);
  // "CL_MEM_COPY_OVERLAP if src_image and dst_image are the same image object and the source and destination regions
  // overlap"
  if (overlap(from, fromLayout, to, toLayout, bytes))
    return fail(ErrorCode::MemCopyOverlap, "source and destination regions overlap");
  US_TRY(std::byte * fromAddress, command.addressOf(from));
  US_TRY(std::byte * toAddress, command.addressOf(to));
  command.request.command = CopyCommand{toAddress, toLayout, fromAddress, fromLayout, bytes};
  return command.enqueue();
}

Expected<void> fillImage(CommandBuilder &command, cl_mem handle, const void *colour, const size_t *origin,
                         const size_t *region) {
  US_TRY(ClMem & image, command.image(handle));
  US_CHECK(checkIsMutable(image));
  // "CL_INVALID_VALUE if fill_color is NULL"
  if (!colour) return fail(ErrorCode::InvalidValue, "the colour is NULL");
  US_TRY(ImageRegion box, imageRegionFrom(image, origin, region));
  US_TRY(std::byte * address, command.addressOf(image));
  const ImageDescription &description = image.image->description();
  const PitchedLayout layout = image.image->layoutAt(box.origin, box.level);
  const Size3 bytes = image.image->bytesOf(box.region);
  FillCommand fill;
  fill.to = address + layout.offset;
  fill.size = bytes[0];
  fill.rows = bytes[1];
  fill.slices = bytes[2];
  fill.rowPitch = layout.rowPitch;
  fill.slicePitch = layout.slicePitch;
  // "The fill color will be converted to the appropriate image channel format and order associated with image": now,
  // for the application may change it once we return.
  const std::array<std::byte, 16> pixel = core::pixelOf(description.format, colour);
  fill.patternSize = static_cast<uint32_t>(description.elementSize);
  std::memcpy(fill.pattern.data(), pixel.data(), pixel.size());
  command.request.command = fill;
  return command.enqueue();
}

} // namespace

// clEnqueueReadImage
Expected<void> enqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                const size_t *region, size_t rowPitch, size_t slicePitch, void *pointer, cl_uint count,
                                const cl_event *list, cl_event *event) {
  return transfer(queue, CL_COMMAND_READ_IMAGE, image, blocking, origin, region, rowPitch, slicePitch, pointer,
                  {count, list, event});
}

// clEnqueueWriteImage
Expected<void> enqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                 const size_t *region, size_t rowPitch, size_t slicePitch, const void *pointer,
                                 cl_uint count, const cl_event *list, cl_event *event) {
  return transfer(queue, CL_COMMAND_WRITE_IMAGE, image, blocking, origin, region, rowPitch, slicePitch, pointer,
                  {count, list, event});
}

// clEnqueueCopyImage
Expected<void> enqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *fromOrigin,
                                const size_t *toOrigin, const size_t *region, cl_uint count, const cl_event *list,
                                cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_COPY_IMAGE, {count, list, event}));
  return copyImage(command, from, to, fromOrigin, toOrigin, region);
}

// clCommandCopyImageKHR
Expected<void> commandCopyImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                   const cl_command_properties_khr *properties, cl_mem from, cl_mem to,
                                   const size_t *fromOrigin, const size_t *toOrigin, const size_t *region,
                                   cl_uint count, const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                   cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  return command.recordBy([=, source = KeptSize(fromOrigin, from), target = KeptSize(toOrigin, to),
                           box = KeptSize(region)](CommandBuilder &with) {
    return copyImage(with, from, to, source.get(), target.get(), box.get());
  });
}

// clEnqueueCopyImageToBuffer
Expected<void> enqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer, const size_t *origin,
                                        const size_t *region, size_t offset, cl_uint count, const cl_event *list,
                                        cl_event *event) {
  US_TRY(CommandBuilder && command,
         CommandBuilder::start(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, {count, list, event}));
  return copyBetween(command, true, image, buffer, origin, region, offset);
}

// clCommandCopyImageToBufferKHR
Expected<void> commandCopyImageToBufferKHR(cl_command_buffer_khr commands, cl_command_queue queue,
                                           const cl_command_properties_khr *properties, cl_mem image, cl_mem buffer,
                                           const size_t *origin, const size_t *region, size_t offset, cl_uint count,
                                           const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                           cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({commands, queue, properties, count, list, point, handle}));
  return command.recordBy([=, from = KeptSize(origin, image), box = KeptSize(region)](CommandBuilder &with) {
    return copyBetween(with, true, image, buffer, from.get(), box.get(), offset);
  });
}

// clEnqueueCopyBufferToImage
Expected<void> enqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image, size_t offset,
                                        const size_t *origin, const size_t *region, cl_uint count, const cl_event *list,
                                        cl_event *event) {
  US_TRY(CommandBuilder && command,
         CommandBuilder::start(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, {count, list, event}));
  return copyBetween(command, false, image, buffer, origin, region, offset);
}

// clCommandCopyBufferToImageKHR
Expected<void> commandCopyBufferToImageKHR(cl_command_buffer_khr commands, cl_command_queue queue,
                                           const cl_command_properties_khr *properties, cl_mem buffer, cl_mem image,
                                           size_t offset, const size_t *origin, const size_t *region, cl_uint count,
                                           const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                           cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({commands, queue, properties, count, list, point, handle}));
  return command.recordBy([=, to = KeptSize(origin, image), box = KeptSize(region)](CommandBuilder &with) {
    return copyBetween(with, false, image, buffer, to.get(), box.get(), offset);
  });
}

// clEnqueueFillImage
Expected<void> enqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour, const size_t *origin,
                                const size_t *region, cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_FILL_IMAGE, {count, list, event}));
  return fillImage(command, image, colour, origin, region);
}

// clCommandFillImageKHR
Expected<void> commandFillImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                   const cl_command_properties_khr *properties, cl_mem image, const void *colour,
                                   const size_t *origin, const size_t *region, cl_uint count,
                                   const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                   cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  // "The fill color is a single floating-point value if the channel order is CL_DEPTH. Otherwise [...] a four
  // component" value.
  const ClMem *const memory = objectBehind<ClMem>(image);
  const size_t size = !memory ? 0 : memory->format.image_channel_order == CL_DEPTH ? 4 : 16;
  return command.recordBy([=, kept = KeptBytes(colour, size), from = KeptSize(origin, image),
                           box = KeptSize(region)](CommandBuilder &with) {
    return fillImage(with, image, kept.get(), from.get(), box.get());
  });
}

} // namespace us::opencl
