// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueMapBuffer, clEnqueueMapImage, clEnqueueUnmapMemObject.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/image_region.h"

namespace us::opencl {
namespace {

struct MapAccess {
  bool reads, writes;
};

Expected<MapAccess> mapAccessFrom(cl_map_flags flags) {
  // "CL_INVALID_VALUE if values specified in map_flags are not valid." "CL_MAP_READ or CL_MAP_WRITE and
  // CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive."
  constexpr cl_map_flags kReadWrite = CL_MAP_READ | CL_MAP_WRITE;
  if ((flags & ~(kReadWrite | CL_MAP_WRITE_INVALIDATE_REGION)) ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & kReadWrite)))
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no set of map flags", flags));
  return MapAccess{(flags & CL_MAP_READ) != 0, (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
}

/// "CL_INVALID_OPERATION if buffer_ has been created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and
/// CL_MAP_READ is set in map_flags or if buffer has been created with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS
/// and CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION is set in map_flags."; the same for images.
Expected<void> checkHostAccess(const ClMem &memory, const MapAccess &access) {
  if ((access.reads && (memory.flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))) ||
      (access.writes && (memory.flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))))
    return fail(ErrorCode::InvalidOperation, "the memory object was created without this access for the host");
  // "if buffer was created with CL_MEM_IMMUTABLE_EXT and CL_MAP_WRITE or CL_MAP_WRITE_INVALIDATE_REGION is set in
  // map_flags"; the same for images.
  if (access.writes) return checkIsMutable(memory);
  return {};
}

/// Enqueues the command of a mapping that the core has registered.
Expected<void *> enqueueMap(CommandBuilder &command, ClMem &memory, const core::Mapping &mapping, cl_bool blocking) {
  auto takeBack = [&](Error error) {
    (void)memory.buffer->unmap(mapping.pointer);
    return std::unexpected(std::move(error));
  };
  auto address = command.addressOf(memory);
  if (!address) return takeBack(std::move(address).error());
  MapCommand map;
  map.address = reinterpret_cast<uint64_t>(*address) + mapping.offset;
  map.size = mapping.size;
  map.willRead = mapping.read;
  map.willWrite = mapping.write;
  command.request.command = map;
  ApiChecks *const checks = apiChecks();
  if (checks && checks->commands()) command.maps = checks->commands()->mapped(memory, mapping);
  if (auto done = command.go(blocking); !done) return takeBack(std::move(done).error());
  if (checks) checks->mapped(memory, mapping.pointer, ApiChecks::site());
  return mapping.pointer;
}

} // namespace

// clEnqueueMapBuffer
Expected<void *> enqueueMapBuffer(cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags,
                                  size_t offset, size_t size, cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_MAP_BUFFER, {count, list, event}));
  US_TRY(ClMem & memory, command.buffer(handle));
  US_TRY(MapAccess access, mapAccessFrom(flags));
  // "CL_INVALID_VALUE if region being mapped given by (offset, size) is out of bounds or if size is 0"
  uint64_t whole = memory.buffer->size();
  if (size == 0 || offset > whole || size > whole - offset)
    return fail(ErrorCode::InvalidValue, icd::format("{} bytes from {} of a buffer of {}", size, offset, whole));
  US_CHECK(checkHostAccess(memory, access));
  // "CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing": the core keeps the
  // list.
  US_TRY(core::Mapping mapping, memory.buffer->map(command.device(), offset, size, access.reads, access.writes));
  return enqueueMap(command, memory, mapping, blocking);
}

// clEnqueueMapImage
Expected<void *> enqueueMapImage(cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags,
                                 const size_t *origin, const size_t *region, size_t *rowPitch, size_t *slicePitch,
                                 cl_uint count, const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_MAP_IMAGE, {count, list, event}));
  US_TRY(ClMem & memory, command.image(handle));
  US_TRY(MapAccess access, mapAccessFrom(flags));
  US_CHECK(checkHostAccess(memory, access));
  US_TRY(ImageRegion box, imageRegionFrom(memory, origin, region));
  // "CL_INVALID_VALUE if image_row_pitch is NULL"; "if image is a 1D or 2D image array object and image_slice_pitch is
  // NULL"; "if image is a 3D and image_slice_pitch is NULL"
  const bool slices = hasSlices(memory);
  if (!rowPitch || (slices && !slicePitch))
    return fail(ErrorCode::InvalidValue, "there is no place for the mapped region's pitches");
  // "CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing": the core knows.
  const core::Image &image = *memory.image;
  US_TRY(core::Mapping mapping, memory.buffer->map(command.device(), image.layoutAt(box.origin, box.level),
                                                   image.bytesOf(box.region), access.reads, access.writes));
  US_TRY(void *pointer, enqueueMap(command, memory, mapping, blocking));
  const ImageDescription level = levelOf(image.description(), box.level).image;
  *rowPitch = box.level ? level.rowPitch : memory.imageRowPitch;
  // "For a 1D and 2D image, zero is returned if this argument is not NULL."
  if (slicePitch) *slicePitch = slices ? level.slicePitch : 0;
  return pointer;
}

// clEnqueueUnmapMemObject
Expected<void> enqueueUnmapMemObject(cl_command_queue queue, cl_mem handle, void *pointer, cl_uint count,
                                     const cl_event *list, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_UNMAP_MEM_OBJECT, {count, list, event}));
  US_TRY(ClMem & memory, command.memory(handle));
  // "CL_INVALID_VALUE if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or clEnqueueMapImage for
  // memobj."
  ApiChecks *const checks = apiChecks();
  Expected<core::Mapping> found = memory.buffer->unmap(pointer);
  if (!found && checks) checks->failedUnmap(memory, pointer);
  US_TRY(const core::Mapping mapping, std::move(found));
  if (checks) checks->unmapped(memory, pointer);
  if (checks && checks->commands()) command.unmaps = checks->commands()->unmapped(memory, mapping);
  US_TRY(std::byte * address, command.addressOf(memory));
  MapCommand unmap;
  unmap.unmap = true;
  unmap.address = reinterpret_cast<uint64_t>(address) + mapping.offset;
  unmap.size = mapping.size;
  unmap.willRead = mapping.read;
  unmap.willWrite = mapping.write;
  command.request.command = unmap;
  command.request.beforeComplete = memory.buffer->countUnmap();
  return command.enqueue();
}

} // namespace us::opencl
