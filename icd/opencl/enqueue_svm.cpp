// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enqueue calls on shared virtual memory, and on unified shared memory, which is the same to commands. What a command
// uses of it is kept alive until the command has ended.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/svm.h"

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

namespace us::opencl {
namespace {

Expected<void> checkDevice(const CommandBuilder &command) {
  // "CL_INVALID_OPERATION if the device associated with command-queue does not support SVM."
  if (command.queue().device->info().svmCapabilities == 0)
    return fail(ErrorCode::InvalidOperation, "the device has no shared virtual memory");
  return {};
}

Expected<CommandBuilder> start(cl_command_queue queue, cl_command_type type, const EventParameters &events) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, type, events));
  US_CHECK(checkDevice(command));
  return std::move(command);
}

enum class Host : uint8_t { Always, IfDeviceReachesIt };

/// Checks the range a command is given, and keeps the allocation it lies in.
Expected<void> use(CommandBuilder &command, const void *pointer, size_t size, Host host) {
  if (!pointer) return fail(ErrorCode::InvalidValue, "the pointer is NULL");
  Ref<core::SvmAllocation> allocation = command.queue().context->core->svm().find(pointer);
  if (!allocation) {
    if (host == Host::Always || (command.queue().device->info().svmCapabilities & core::kSvmFineGrainSystem)) return {};
    return fail(ErrorCode::InvalidValue, icd::format("{} is in no shared memory of the queue's context", pointer));
  }
  if (!allocation->contains(pointer, size))
    return fail(ErrorCode::InvalidValue,
                icd::format("{} bytes from byte {} of shared memory of {}", size,
                            static_cast<size_t>(static_cast<const std::byte *>(pointer) - allocation->begin()),
                            allocation->size()));
  command.request.keep.push_back(std::move(allocation));
  return {};
}

bool overlap(const void *a, const void *b, size_t size) {
  auto first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
  return first < second ? second - first < size : first - second < size;
}

Expected<void> freeByRuntime(CommandBuilder &command, std::vector<void *> pointers) {
  core::AddressMap &shared = command.queue().context->core->svm();
  for (void *pointer : pointers) {
    if (!pointer) continue;
    Ref<core::SvmAllocation> allocation = shared.findBegin(pointer);
    // "If pfn_free_func is NULL, all pointers specified in svm_pointers must be allocated using clSVMAlloc".
    if (!allocation)
      return fail(ErrorCode::InvalidValue,
                  icd::format("{} is not the beginning of shared memory of the queue's context", pointer));
    command.request.keep.push_back(std::move(allocation));
  }
  // From here on an allocation that finds no room may wait for this command.
  for (const Ref<Object> &kept : command.request.keep)
    static_cast<core::SvmAllocation &>(*kept).releasedByApplication();
  command.request.onSuccess = [context = command.queue().context->core, pointers = std::move(pointers)] {
    for (void *pointer : pointers) context->svm().remove(pointer);
  };
  return {};
}

Expected<void> copyShared(CommandBuilder &command, void *to, const void *from, size_t size) {
  // "CL_INVALID_VALUE if dst_ptr or src_ptr is NULL." "dst_ptr is a pointer to a host or SVM memory allocation", and so
  // is src_ptr.
  US_CHECK(use(command, to, size, Host::Always));
  US_CHECK(use(command, from, size, Host::Always));
  // "CL_MEM_COPY_OVERLAP if the values specified for dst_ptr, src_ptr and size result in an overlapping copy."
  if (overlap(to, from, size))
    return fail(ErrorCode::MemCopyOverlap, icd::format("{} bytes from {} to {}", size, from, to));
  CopyCommand copy;
  copy.to = static_cast<std::byte *>(to);
  copy.from = static_cast<const std::byte *>(from);
  copy.region = {size, 1, 1};
  command.request.command = copy;
  return {};
}

Expected<void> fillShared(CommandBuilder &command, void *pointer, const void *pattern, size_t patternSize,
                          size_t size) {
  // "CL_INVALID_VALUE if svm_ptr is NULL."
  US_CHECK(use(command, pointer, size, Host::IfDeviceReachesIt));
  // "CL_INVALID_VALUE if pattern is NULL or if pattern_size is 0 or if pattern_size is not one of
  // {1, 2, 4, 8, 16, 32, 64, 128}."
  if (!pattern || !std::has_single_bit(patternSize) || patternSize > sizeof(FillCommand::pattern))
    return fail(ErrorCode::InvalidValue, icd::format("a pattern of {} bytes at {}", patternSize, pattern));
  // "CL_INVALID_VALUE if svm_ptr is not aligned to pattern_size bytes." "CL_INVALID_VALUE if size is not a multiple of
  // pattern_size."
  if (reinterpret_cast<uintptr_t>(pointer) % patternSize || size % patternSize)
    return fail(ErrorCode::InvalidValue,
                icd::format("{} bytes at {} are not whole patterns of {}", size, pointer, patternSize));
  FillCommand fill;
  fill.to = static_cast<std::byte *>(pointer);
  fill.size = size;
  fill.patternSize = static_cast<uint32_t>(patternSize);
  // "The memory associated with pattern can be reused or freed after the function returns."
  std::memcpy(fill.pattern.data(), pattern, patternSize);
  command.request.command = fill;
  return {};
}

} // namespace

// clEnqueueSVMFree
Expected<void> enqueueSVMFree(cl_command_queue queue, cl_uint pointerCount, void *pointers[],
                              void(CL_CALLBACK *callback)(cl_command_queue, cl_uint, void *[], void *), void *userData,
                              cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_SVM_FREE, {count, list, event}));
  // "CL_INVALID_VALUE if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is NULL and
  // num_svm_pointers is not 0."
  if ((pointerCount == 0) != (pointers == nullptr))
    return fail(ErrorCode::InvalidValue,
                icd::format("{} pointers at {}", pointerCount, static_cast<const void *>(pointers)));
  // "The memory associated with svm_pointers can be reused or freed after the function returns."
  std::vector<void *> copy(pointers, pointers + pointerCount);
  if (callback) {
    // "If pfn_free_func is a valid callback function, the OpenCL implementation will call pfn_free_func to free all the
    // SVM pointers specified in svm_pointers." The queue's handle stays valid for it.
    auto shared = std::make_shared<std::vector<void *>>(std::move(copy));
    command.request.command = HostCallCommand{[=, held = Ref<ClQueue>(&command.queue())] {
      callback(held->handle(), pointerCount, shared->data(), userData);
    }};
  } else {
    US_CHECK(freeByRuntime(command, std::move(copy)));
  }
  return command.enqueue();
}

// clEnqueueSVMMemcpy
Expected<void> enqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t size,
                                cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_SVM_MEMCPY, {count, list, event}));
  US_CHECK(copyShared(command, to, from, size));
  return command.go(blocking);
}

// clCommandSVMMemcpyKHR
Expected<void> commandSVMMemcpyKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                   const cl_command_properties_khr *properties, void *to, const void *from, size_t size,
                                   cl_uint count, const cl_sync_point_khr *list, cl_sync_point_khr *point,
                                   cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  return command.recordBy([=](CommandBuilder &with) -> Expected<void> {
    US_CHECK(checkDevice(with));
    US_CHECK(copyShared(with, to, from, size));
    return with.enqueue();
  });
}

// clEnqueueSVMMemFill
Expected<void> enqueueSVMMemFill(cl_command_queue queue, void *pointer, const void *pattern, size_t patternSize,
                                 size_t size, cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_SVM_MEMFILL, {count, list, event}));
  US_CHECK(fillShared(command, pointer, pattern, patternSize, size));
  return command.enqueue();
}

// clCommandSVMMemFillKHR
Expected<void> commandSVMMemFillKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                    const cl_command_properties_khr *properties, void *pointer, const void *pattern,
                                    size_t patternSize, size_t size, cl_uint count, const cl_sync_point_khr *list,
                                    cl_sync_point_khr *point, cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command, CommandBuilder::record({buffer, queue, properties, count, list, point, handle}));
  return command.recordBy([=, kept = KeptBytes(pattern, patternSize)](CommandBuilder &with) -> Expected<void> {
    US_CHECK(checkDevice(with));
    US_CHECK(fillShared(with, pointer, kept.get(), patternSize, size));
    return with.enqueue();
  });
}

// clEnqueueSVMMap
Expected<void> enqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer, size_t size,
                             cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_SVM_MAP, {count, list, event}));
  // "CL_INVALID_VALUE if svm_ptr is NULL."
  US_CHECK(use(command, pointer, size, Host::IfDeviceReachesIt));
  // "CL_INVALID_VALUE if size is 0 or if values specified in map_flags are not valid."
  constexpr cl_map_flags kReadWrite = CL_MAP_READ | CL_MAP_WRITE;
  if (size == 0 || (flags & ~(kReadWrite | CL_MAP_WRITE_INVALIDATE_REGION)) ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & kReadWrite)))
    return fail(ErrorCode::InvalidValue, icd::format("a map of {} bytes with flags {:#x}", size, flags));
  MapCommand map;
  map.address = reinterpret_cast<uint64_t>(pointer);
  map.size = size;
  map.willRead = flags & CL_MAP_READ;
  map.willWrite = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
  command.request.command = map;
  return command.go(blocking);
}

// clEnqueueSVMUnmap
Expected<void> enqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint count, const cl_event *list,
                               cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_SVM_UNMAP, {count, list, event}));
  // "CL_INVALID_VALUE if svm_ptr is NULL."
  US_CHECK(use(command, pointer, 0, Host::IfDeviceReachesIt));
  MapCommand unmap;
  unmap.address = reinterpret_cast<uint64_t>(pointer);
  unmap.unmap = true;
  command.request.command = unmap;
  return command.enqueue();
}

// clEnqueueSVMMigrateMem
Expected<void> enqueueSVMMigrateMem(cl_command_queue queue, cl_uint pointerCount, const void **pointers,
                                    const size_t *sizes, cl_mem_migration_flags flags, cl_uint count,
                                    const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_SVM_MIGRATE_MEM, {count, list, event}));
  // "CL_INVALID_VALUE if num_svm_pointers is zero or svm_pointers is NULL."
  if (pointerCount == 0 || !pointers)
    return fail(ErrorCode::InvalidValue,
                icd::format("{} pointers at {}", pointerCount, static_cast<const void *>(pointers)));
  if (flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that are no migration flag", flags));
  for (cl_uint i = 0; i < pointerCount; ++i) {
    // "If sizes is NULL, the set of allocations ... " are migrated whole; the pointers must then lie in one, too.
    size_t size = sizes ? sizes[i] : 0;
    Ref<core::SvmAllocation> allocation = command.queue().context->core->svm().find(pointers[i]);
    // "CL_INVALID_VALUE if sizes[i] is non-zero range [svm_pointers[i], svm_pointers[i]+sizes[i]) is not contained
    // within an existing clSVMAlloc allocation."
    if (!allocation || !allocation->contains(pointers[i], size))
      return fail(ErrorCode::InvalidValue,
                  icd::format("{} bytes from {} are in no shared memory of the context", size, pointers[i]));
    command.request.keep.push_back(std::move(allocation));
  }
  return command.enqueue(); // host and devices share the memory: there is nothing to move
}

// clEnqueueMemcpyINTEL
Expected<void> enqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t size,
                                  cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_MEMCPY_INTEL, {count, list, event}));
  US_CHECK(copyShared(command, to, from, size));
  return command.go(blocking);
}

// clEnqueueMemFillINTEL
Expected<void> enqueueMemFillINTEL(cl_command_queue queue, void *pointer, const void *pattern, size_t patternSize,
                                   size_t size, cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_MEMFILL_INTEL, {count, list, event}));
  US_CHECK(fillShared(command, pointer, pattern, patternSize, size));
  return command.enqueue();
}

// clEnqueueMemsetINTEL
Expected<void> enqueueMemsetINTEL(cl_command_queue queue, void *pointer, cl_int value, size_t size, cl_uint count,
                                  const cl_event *list, cl_event *event) {
  const auto byte = static_cast<cl_uchar>(value);
  return enqueueMemFillINTEL(queue, pointer, &byte, 1, size, count, list, event);
}

// clEnqueueMigrateMemINTEL
Expected<void> enqueueMigrateMemINTEL(cl_command_queue queue, const void *pointer, size_t size,
                                      cl_mem_migration_flags flags, cl_uint count, const cl_event *list,
                                      cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_MIGRATEMEM_INTEL, {count, list, event}));
  // "CL_INVALID_VALUE if flags is zero or is not a supported combination of the values": no flag asks for the device.
  if (flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that are no migration flag", flags));
  US_CHECK(use(command, pointer, size, Host::IfDeviceReachesIt));
  return command.enqueue(); // host and devices share the memory: there is nothing to move
}

// clEnqueueMemAdviseINTEL
Expected<void> enqueueMemAdviseINTEL(cl_command_queue queue, const void *pointer, size_t size, cl_mem_advice_intel,
                                     cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, start(queue, CL_COMMAND_MEMADVISE_INTEL, {count, list, event}));
  US_CHECK(use(command, pointer, size, Host::IfDeviceReachesIt));
  return command.enqueue(); // a device may ignore advice
}

} // namespace us::opencl
