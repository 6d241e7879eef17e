// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enqueue calls on boxes: clEnqueueReadBufferRect, clEnqueueWriteBufferRect, clEnqueueCopyBufferRect.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "runtime/base/geometry.h"

namespace us::opencl {
namespace {

/// One side of a rectangular command, as given.
struct Side {
  const char *name;
  const size_t *origin;
  size_t rowPitch, slicePitch;
};

bool multiply(uint64_t a, uint64_t b, uint64_t &result) { return !__builtin_mul_overflow(a, b, &result); }

/// Checks the pitches of one side and works out its layout.
Expected<PitchedLayout> layoutOf(const Side &side, const Size3 &region) {
  PitchedLayout layout;
  uint64_t least = 0, row = 0, slice = 0;
  // "CL_INVALID_VALUE if row_pitch is not 0 and is less than region[0]."
  if (side.rowPitch && side.rowPitch < region[0])
    return fail(ErrorCode::InvalidValue,
                icd::format("the {} row pitch {} is less than a row of {}", side.name, side.rowPitch, region[0]));
  // "If row_pitch is 0, row_pitch is computed as region[0]."
  layout.rowPitch = side.rowPitch ? side.rowPitch : region[0];
  bool fits = multiply(region[1], layout.rowPitch, least);
  // "CL_INVALID_VALUE if slice_pitch is not 0 and is less than region[1] x row_pitch and not a multiple of row_pitch."
  if (side.slicePitch && (!fits || side.slicePitch < least || side.slicePitch % layout.rowPitch))
    return fail(ErrorCode::InvalidValue, icd::format("the {} slice pitch {} does not suit {} rows of pitch {}",
                                                     side.name, side.slicePitch, region[1], layout.rowPitch));
  // "If slice_pitch is 0, slice_pitch is computed as region[1] x row_pitch."
  layout.slicePitch = side.slicePitch ? side.slicePitch : least;
  // "offset in bytes ... is computed as origin[2] x slice_pitch + origin[1] x row_pitch + origin[0]."
  fits = fits && multiply(side.origin[2], layout.slicePitch, slice) && multiply(side.origin[1], layout.rowPitch, row) &&
         !__builtin_add_overflow(slice, row, &layout.offset) &&
         !__builtin_add_overflow(layout.offset, side.origin[0], &layout.offset);
  // The span must be computable too: spanOf is called only after this.
  uint64_t extent = 0, sum = 0;
  fits = fits && multiply(region[2], layout.slicePitch, extent) &&
         !__builtin_add_overflow(layout.offset, extent, &sum) && !__builtin_add_overflow(sum, region[0], &sum);
  if (!fits) return fail(ErrorCode::InvalidValue, icd::format("the {} region is larger than any memory", side.name));
  return layout;
}

/// "CL_INVALID_VALUE if the region being read or written specified by (origin, region, row_pitch, slice_pitch) is out
/// of bounds."
Expected<void> checkBounds(const ClMem &memory, const PitchedLayout &layout, const Size3 &region, const char *name) {
  uint64_t span = spanOf(layout, region), size = memory.buffer->size();
  if (layout.offset <= size && span <= size - layout.offset) return {};
  return fail(ErrorCode::InvalidValue,
              icd::format("the {} region ends at {} of a buffer of {}", name, layout.offset + span, size));
}

Expected<Size3> regionFrom(const size_t *region, const size_t *originA, const size_t *originB) {
  // "CL_INVALID_VALUE if src_origin, dst_origin, or region is NULL."
  if (!region || !originA || !originB) return fail(ErrorCode::InvalidValue, "an origin or the region is NULL");
  // "CL_INVALID_VALUE if any region array element is 0."
  if (!region[0] || !region[1] || !region[2])
    return fail(ErrorCode::InvalidValue, icd::format("an empty region: {} x {} x {}", region[0], region[1], region[2]));
  return Size3{region[0], region[1], region[2]};
}

Expected<void> transferRect(cl_command_queue queue, cl_command_type type, cl_mem handle, cl_bool blocking,
                            const Side &bufferSide, const Side &hostSide, const size_t *regionGiven,
                            const void *pointer, const EventParameters &events) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, type, events));
  US_TRY(ClMem & memory, command.buffer(handle));
  bool reads = type == CL_COMMAND_READ_BUFFER_RECT;
  // "CL_INVALID_OPERATION if clEnqueueReadBufferRect is called on buffer which has been created with
  // CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS." "... clEnqueueWriteBufferRect ... CL_MEM_HOST_READ_ONLY or ..."
  if (memory.flags & ((reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY) | CL_MEM_HOST_NO_ACCESS))
    return fail(ErrorCode::InvalidOperation, "the buffer was created without this access for the host");
  if (!reads) US_CHECK(checkIsMutable(memory));
  US_TRY(Size3 region, regionFrom(regionGiven, bufferSide.origin, hostSide.origin));
  // "CL_INVALID_VALUE if ptr is NULL."
  if (!pointer) return fail(ErrorCode::InvalidValue, "the host pointer is NULL");
  US_TRY(PitchedLayout bufferLayout, layoutOf(bufferSide, region));
  US_TRY(PitchedLayout hostLayout, layoutOf(hostSide, region));
  US_CHECK(checkBounds(memory, bufferLayout, region, bufferSide.name));
  US_TRY(std::byte * address, command.addressOf(memory));
  auto *host = static_cast<std::byte *>(const_cast<void *>(pointer));
  if (reads)
    command.request.command = CopyCommand{host, hostLayout, address, bufferLayout, region};
  else
    command.request.command = CopyCommand{address, bufferLayout, host, hostLayout, region};
  return command.go(blocking);
}

Expected<void> copyRect(CommandBuilder &command, cl_mem fromHandle, const Side &fromSide, cl_mem toHandle,
                        const Side &toSide, const size_t *regionGiven) {
  US_TRY(ClMem & from, command.buffer(fromHandle));
  US_TRY(ClMem & to, command.buffer(toHandle));
  US_CHECK(checkIsMutable(to));
  US_TRY(Size3 region, regionFrom(regionGiven, fromSide.origin, toSide.origin));
  US_TRY(PitchedLayout fromLayout, layoutOf(fromSide, region));
  US_TRY(PitchedLayout toLayout, layoutOf(toSide, region));
  // "CL_INVALID_VALUE if src_buffer and dst_buffer are the same buffer object and src_slice_pitch is not equal to
  // dst_slice_pitch and src_row_pitch is not equal to dst_row_pitch."
  if (&from == &to && (fromSide.rowPitch != toSide.rowPitch || fromSide.slicePitch != toSide.slicePitch))
    return fail(ErrorCode::InvalidValue, "a copy within one buffer needs equal pitches");
  US_CHECK(checkBounds(from, fromLayout, region, "source"));
  US_CHECK(checkBounds(to, toLayout, region, "destination"));
  // "CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and
  // destination regions overlap or if src_buffer and dst_buffer are different sub-buffers of the same associated buffer
  // object and they overlap."
  if (from.buffer->overlaps(*to.buffer)) {
    PitchedLayout a = fromLayout, b = toLayout;
    a.offset += from.buffer->origin();
    b.offset += to.buffer->origin();
    if (boxesOverlap(a, b, region)) return fail(ErrorCode::MemCopyOverlap, "source and destination boxes overlap");
  }
  US_TRY(std::byte * source, command.addressOf(from));
  US_TRY(std::byte * target, command.addressOf(to));
  command.request.command = CopyCommand{target, toLayout, source, fromLayout, region};
  return command.enqueue();
}

} // namespace

// clEnqueueReadBufferRect
Expected<void> enqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     const size_t *bufferOrigin, const size_t *hostOrigin, const size_t *region,
                                     size_t bufferRowPitch, size_t bufferSlicePitch, size_t hostRowPitch,
                                     size_t hostSlicePitch, void *pointer, cl_uint count, const cl_event *list,
                                     cl_event *event) {
  return transferRect(queue, CL_COMMAND_READ_BUFFER_RECT, buffer, blocking,
                      {"buffer", bufferOrigin, bufferRowPitch, bufferSlicePitch},
                      {"host", hostOrigin, hostRowPitch, hostSlicePitch}, region, pointer, {count, list, event});
}

// clEnqueueWriteBufferRect
Expected<void> enqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      const size_t *bufferOrigin, const size_t *hostOrigin, const size_t *region,
                                      size_t bufferRowPitch, size_t bufferSlicePitch, size_t hostRowPitch,
                                      size_t hostSlicePitch, const void *pointer, cl_uint count, const cl_event *list,
                                      cl_event *event) {
  return transferRect(queue, CL_COMMAND_WRITE_BUFFER_RECT, buffer, blocking,
                      {"buffer", bufferOrigin, bufferRowPitch, bufferSlicePitch},
                      {"host", hostOrigin, hostRowPitch, hostSlicePitch}, region, pointer, {count, list, event});
}

// clEnqueueCopyBufferRect
Expected<void> enqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *fromOrigin,
                                     const size_t *toOrigin, const size_t *region, size_t fromRowPitch,
                                     size_t fromSlicePitch, size_t toRowPitch, size_t toSlicePitch, cl_uint count,
                                     const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_COPY_BUFFER_RECT, {count, list, event}));
  return copyRect(command, from, {"source", fromOrigin, fromRowPitch, fromSlicePitch}, to,
                  {"destination", toOrigin, toRowPitch, toSlicePitch}, region);
}

// clCommandCopyBufferRectKHR
Expected<void> commandCopyBufferRectKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                        const cl_command_properties_khr *properties, cl_mem from, cl_mem to,
                                        const size_t *fromOrigin, const size_t *toOrigin, const size_t *region,
                                        size_t fromRowPitch, size_t fromSlicePitch, size_t toRowPitch,
                                        size_t toSlicePitch, cl_uint count, const cl_sync_point_khr *list,
                                        cl_sync_point_khr *point, cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  return command.recordBy(
      [=, source = KeptSize(fromOrigin), target = KeptSize(toOrigin), box = KeptSize(region)](CommandBuilder &with) {
        return copyRect(with, from, {"source", source.get(), fromRowPitch, fromSlicePitch}, to,
                        {"destination", target.get(), toRowPitch, toSlicePitch}, box.get());
      });
}

} // namespace us::opencl
