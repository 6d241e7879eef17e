// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enqueue calls on linear ranges of buffers: read, write, copy, fill, migrate.
#include "icd/opencl/api.h"
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

#include <bit>
#include <cstring>

namespace us::opencl {
namespace {

bool inBounds(const ClMem &memory, size_t offset, size_t size) {
  return offset <= memory.buffer->size() && size <= memory.buffer->size() - offset;
}

Expected<void> checkRange(const ClMem &memory, size_t offset, size_t size) {
  if (inBounds(memory, offset, size)) return {};
  return fail(ErrorCode::InvalidValue,
              icd::format("{} bytes from {} of a buffer of {}", size, offset, memory.buffer->size()));
}

/// Most transfers that block are between the host's memory and a buffer that the device has. True: it is done. False,
/// and nothing was done: it is another one, or something is wrong with it.
Expected<bool> transferAtOnce(cl_command_queue queueHandle, cl_mem handle, size_t offset, size_t size,
                              const void *pointer, bool reads, const EventParameters &events) {
  ClQueue *const queue = objectBehind<ClQueue>(queueHandle);
  ClMem *const memory = objectBehind<ClMem>(handle);
  if (!queue || !queue->core || !queue->core->mayPassAgain() || events.event || apiChecks()) return false;
  if (!memory || memory->type != CL_MEM_OBJECT_BUFFER || memory->parent || memory->context != queue->context)
    return false;
  if (!pointer || memory->flags & kHostAccess || !inBounds(*memory, offset, size)) return false;
  noteContext(*queue->context);
  PassedList after;
  if (events.count || events.list) {
    if (!events.list) return false;
    after = passedListFrom(*queue, events.count, events.list);
    if (after.empty()) return false;
  }
  const Ref<core::Buffer> buffer = memory->buffer;
  auto *const host = static_cast<std::byte *>(const_cast<void *>(pointer));
  return queue->core->transfer(*buffer, offset, host, size, reads, after);
}

/// Between a buffer and the host's memory; the same for both directions but for the order.
Expected<void> transfer(cl_command_queue queue, cl_command_type type, cl_mem handle, cl_bool blocking, size_t offset,
                        size_t size, const void *pointer, const EventParameters &events) {
  bool reads = type == CL_COMMAND_READ_BUFFER;
  if (blocking) {
    US_TRY(const bool isDone, transferAtOnce(queue, handle, offset, size, pointer, reads, events));
    if (isDone) return {};
  }
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, type, events));
  US_TRY(ClMem & memory, command.buffer(handle));
  // "CL_INVALID_OPERATION if clEnqueueReadBuffer is called on buffer which has been created with CL_MEM_HOST_WRITE_ONLY
  // or CL_MEM_HOST_NO_ACCESS." "... if clEnqueueWriteBuffer is called on buffer which has been created with
  // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS."
  if (memory.flags & ((reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY) | CL_MEM_HOST_NO_ACCESS))
    return fail(ErrorCode::InvalidOperation, "the buffer was created without this access for the host");
  if (!reads) US_CHECK(checkIsMutable(memory));
  // "CL_INVALID_VALUE if the region being read or written to specified by (offset, size) is out of bounds or if ptr is
  // a NULL value."
  US_CHECK(checkRange(memory, offset, size));
  if (!pointer) return fail(ErrorCode::InvalidValue, "the host pointer is NULL");
  US_TRY(std::byte * address, command.addressOf(memory));
  auto *host = static_cast<std::byte *>(const_cast<void *>(pointer));
  CopyCommand copy;
  copy.to = reads ? host : address + offset;
  copy.from = reads ? address + offset : host;
  copy.region = {size, 1, 1};
  command.request.command = copy;
  command.request.isAtHand = memory.buffer->isAtHand(command.device(), !reads);
  return command.go(blocking);
}

Expected<void> copyBuffer(CommandBuilder &command, cl_mem fromHandle, cl_mem toHandle, size_t fromOffset,
                          size_t toOffset, size_t size) {
  US_TRY(ClMem & from, command.buffer(fromHandle));
  US_TRY(ClMem & to, command.buffer(toHandle));
  US_CHECK(checkIsMutable(to));
  // "CL_INVALID_VALUE if src_offset, dst_offset, size, src_offset + size or dst_offset + size require accessing
  // elements outside the src_buffer and dst_buffer buffer objects respectively."
  US_CHECK(checkRange(from, fromOffset, size));
  US_CHECK(checkRange(to, toOffset, size));
  // "CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and
  // destination regions overlap or if src_buffer and dst_buffer are different sub-buffers of the same associated buffer
  // object and they overlap."
  if (size && from.buffer->overlaps(*to.buffer)) {
    size_t a = from.buffer->origin() + fromOffset, b = to.buffer->origin() + toOffset;
    if (a < b + size && b < a + size)
      return fail(ErrorCode::MemCopyOverlap, icd::format("{} bytes from {} to {} of one buffer", size, a, b));
  }
  US_TRY(std::byte * source, command.addressOf(from));
  US_TRY(std::byte * target, command.addressOf(to));
  CopyCommand copy;
  copy.to = target + toOffset;
  copy.from = source + fromOffset;
  copy.region = {size, 1, 1};
  command.request.command = copy;
  return command.enqueue();
}

Expected<void> fillBuffer(CommandBuilder &command, cl_mem handle, const void *pattern, size_t patternSize,
                          size_t offset, size_t size) {
  US_TRY(ClMem & memory, command.buffer(handle));
  US_CHECK(checkIsMutable(memory));
  // "CL_INVALID_VALUE if offset or offset + size require accessing elements outside the buffer object respectively."
  US_CHECK(checkRange(memory, offset, size));
  // "CL_INVALID_VALUE if pattern is NULL or if pattern_size is 0 or if pattern_size is not one of
  // { 1, 2, 4, 8, 16, 32, 64, 128 }."
  if (!pattern || !std::has_single_bit(patternSize) || patternSize > sizeof(FillCommand::pattern))
    return fail(ErrorCode::InvalidValue, icd::format("a pattern of {} bytes at {}", patternSize, pattern));
  // "CL_INVALID_VALUE if offset and size are not a multiple of pattern_size."
  if (offset % patternSize || size % patternSize)
    return fail(ErrorCode::InvalidValue,
                icd::format("offset {} and size {} are not multiples of the pattern's {}", offset, size, patternSize));
  US_TRY(std::byte * address, command.addressOf(memory));
  FillCommand fill;
  fill.to = address + offset;
  fill.size = size;
  fill.patternSize = static_cast<uint32_t>(patternSize);
  std::memcpy(fill.pattern.data(), pattern, patternSize);
  command.request.command = fill;
  return command.enqueue();
}

} // namespace

// clEnqueueReadBuffer
Expected<void> enqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                                 void *pointer, cl_uint count, const cl_event *list, cl_event *event) {
  return transfer(queue, CL_COMMAND_READ_BUFFER, buffer, blocking, offset, size, pointer, {count, list, event});
}

// clEnqueueWriteBuffer
Expected<void> enqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                                  const void *pointer, cl_uint count, const cl_event *list, cl_event *event) {
  return transfer(queue, CL_COMMAND_WRITE_BUFFER, buffer, blocking, offset, size, pointer, {count, list, event});
}

// clEnqueueCopyBuffer
Expected<void> enqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset, size_t toOffset,
                                 size_t size, cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_COPY_BUFFER, {count, list, event}));
  return copyBuffer(command, from, to, fromOffset, toOffset, size);
}

// clCommandCopyBufferKHR
Expected<void> commandCopyBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                    const cl_command_properties_khr *properties, cl_mem from, cl_mem to,
                                    size_t fromOffset, size_t toOffset, size_t size, cl_uint count,
                                    const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                    cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  return command.recordBy([=](CommandBuilder &with) { return copyBuffer(with, from, to, fromOffset, toOffset, size); });
}

// clEnqueueFillBuffer
Expected<void> enqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern, size_t patternSize,
                                 size_t offset, size_t size, cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_FILL_BUFFER, {count, list, event}));
  return fillBuffer(command, memory, pattern, patternSize, offset, size);
}

// clCommandFillBufferKHR
Expected<void> commandFillBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                    const cl_command_properties_khr *properties, cl_mem memory, const void *pattern,
                                    size_t patternSize, size_t offset, size_t size, cl_uint count,
                                    const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                    cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  return command.recordBy([=, kept = KeptBytes(pattern, patternSize)](CommandBuilder &with) {
    return fillBuffer(with, memory, kept.get(), patternSize, offset, size);
  });
}

// clEnqueueMigrateMemObjects
Expected<void> enqueueMigrateMemObjects(cl_command_queue queue, cl_uint objects, const cl_mem *handles,
                                        cl_mem_migration_flags flags, cl_uint count, const cl_event *list,
                                        cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, {count, list, event}));
  // "CL_INVALID_VALUE if num_mem_objects is zero or if mem_objects is NULL."
  if (objects == 0 || !handles)
    return fail(ErrorCode::InvalidValue,
                icd::format("{} memory objects at {}", objects, static_cast<const void *>(handles)));
  // "CL_INVALID_VALUE if flags is not 0 or is not any of the values described in the table above."
  if (flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that are no migration flag", flags));
  for (cl_uint i = 0; i < objects; ++i) {
    US_TRY(ClMem & memory, command.memory(handles[i]));
    // "CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the specified set of memory
    // objects". Beyond that there is nothing to move: the memory is the host's.
    US_CHECK(command.addressOf(memory));
  }
  return command.enqueue();
}

} // namespace us::opencl
