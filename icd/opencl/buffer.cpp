// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that make buffers and sub-buffers.
#include "icd/opencl/api.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/external_memory.h"
#include "icd/opencl/memory.h"

#include <algorithm>
#include <optional>

namespace us::opencl {
namespace {

Expected<cl_mem> makeBuffer(cl_context handle, std::vector<cl_mem_properties> properties, cl_mem_flags flags,
                            size_t size, void *hostPointer, bool tellsAddresses = false,
                            const ExternalMemory &external = {}) {
  US_TRY(ClContext & context, contextFrom(handle));
  US_CHECK(checkMemoryFlags(context, flags));
  US_CHECK(checkExternalMemory(context, external, flags, hostPointer));
  US_CHECK(checkImmutableHasContents(flags, external.descriptor.has_value()));
  US_CHECK(checkHostPointer(flags, hostPointer));
  core::BufferRequest request;
  if (apiChecks()) request.madeAt = ApiChecks::site();
  request.size = size;
  request.access = kernelAccess(flags);
  if (flags & CL_MEM_USE_HOST_PTR) {
    request.hostMemory = core::HostMemory::Use;
    request.hostPointer = static_cast<std::byte *>(hostPointer);
    request.shared = context.core->svm().find(hostPointer);
    // "CL_INVALID_BUFFER_SIZE ... if host_ptr is a pointer returned by clSVMAlloc and size is greater than the size
    // passed to clSVMAlloc."
    if (request.shared && !request.shared->contains(hostPointer, size))
      return fail(ErrorCode::InvalidBufferSize,
                  icd::format("a buffer of {} bytes on shared memory of {}", size, request.shared->size()));
  } else if (flags & CL_MEM_ALLOC_HOST_PTR) {
    request.hostMemory = core::HostMemory::Allocate;
  }
  if (flags & CL_MEM_COPY_HOST_PTR) request.copyFrom = static_cast<const std::byte *>(hostPointer);
  std::optional<MappedDescriptor> mapped;
  if (external.descriptor) {
    // "CL_INVALID_BUFFER_SIZE if size is zero"
    if (size == 0) return fail(ErrorCode::InvalidBufferSize, "a buffer of no bytes");
    US_TRY(MappedDescriptor && made, MappedDescriptor::map(*external.descriptor, size));
    mapped.emplace(std::move(made));
    request.hostMemory = core::HostMemory::Use;
    request.hostPointer = mapped->begin();
  }
  US_TRY(Ref<ClMem> memory, makeObject<ClMem>());
  // "CL_INVALID_BUFFER_SIZE if size is zero"; "if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in
  // context"
  US_TRY(memory->buffer, core::Buffer::create(*context.core, request));
  memory->context = Ref<ClContext>(&context);
  memory->flags = flags;
  memory->hostPointer = flags & CL_MEM_USE_HOST_PTR ? hostPointer : nullptr;
  memory->properties = std::move(properties);
  memory->tellsAddresses = tellsAddresses;
  if (mapped) {
    mapped->giveTo(*memory->buffer, *external.descriptor);
    memory->externalDevices = external.devices.empty() ? context.devices : external.devices;
  }
  if (CommandChecks *const checks = commandChecks(); checks && memory->hostPointer) checks->usesHostMemory(*memory);
  return giveToApplication(std::move(memory));
}

/// Properties of a buffer: whether its addresses can be asked for (cl_ext_buffer_device_address), and its memory.
struct BufferProperties {
  std::vector<cl_mem_properties> all; ///< as given, with the final 0; empty if none were given
  bool tellsAddresses = false;
  ExternalMemory external;
};

Expected<BufferProperties> propertiesFrom(const ClContext &context, const cl_mem_properties *list) {
  BufferProperties result;
  if (!list) return result;
  bool isGiven = false;
  const cl_mem_properties *next = list;
  while (*next) {
    US_TRY(const bool isTaken, takeExternalProperty(context, next, result.external));
    if (isTaken) continue;
    // "CL_INVALID_PROPERTY if a property name in properties is not a supported property name, if the value specified
    // for a supported property name is not valid, or if the same property name is specified more than once."
    if (next[0] != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT)
      return fail(ErrorCode::InvalidProperty, icd::format("there is no buffer property {:#x}", next[0]));
    if (isGiven || next[1] > CL_TRUE)
      return fail(ErrorCode::InvalidProperty, "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is given twice, or is no cl_bool");
    isGiven = true;
    result.tellsAddresses = next[1] == CL_TRUE;
    next += 2;
  }
  // "CL_INVALID_OPERATION if properties includes CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT and there are no devices in the
  // context that support the cl_ext_buffer_device_address extension".
  if (isGiven && !anyHasDeviceAddresses(context))
    return fail(ErrorCode::InvalidOperation, "no device of the context tells the addresses of buffers");
  result.all.assign(list, next + 1);
  return result;
}

} // namespace

bool anyHasDeviceAddresses(const ClContext &context) {
  return std::ranges::any_of(context.devices, [](const Ref<ClDevice> &device) {
    return hasExtension(*device, "cl_ext_buffer_device_address");
  });
}

// clCreateBuffer
Expected<cl_mem> createBuffer(cl_context context, cl_mem_flags flags, size_t size, void *hostPointer) {
  return makeBuffer(context, {}, flags, size, hostPointer);
}

// clCreateBufferWithProperties
Expected<cl_mem> createBufferWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                            size_t size, void *hostPointer) {
  US_TRY(const ClContext &known, contextFrom(context));
  US_TRY(BufferProperties given, propertiesFrom(known, properties));
  return makeBuffer(context, std::move(given.all), flags, size, hostPointer, given.tellsAddresses, given.external);
}

// clCreateSubBuffer
Expected<cl_mem> createSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type, const void *info) {
  // "CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object or is a sub-buffer object."
  US_TRY(ClMem & parent, bufferFrom(handle));
  noteContext(*parent.context);
  if (parent.parent) return fail(ErrorCode::InvalidMemObject, "a sub-buffer cannot be divided");
  US_TRY(cl_mem_flags effective, inheritMemoryFlags(parent, flags));
  // "CL_INVALID_VALUE if the value specified in buffer_create_type is not valid"
  if (type != CL_BUFFER_CREATE_TYPE_REGION)
    return fail(ErrorCode::InvalidValue, icd::format("there is no buffer creation type {:#x}", type));
  // "CL_INVALID_VALUE if buffer_create_info is NULL"
  if (!info) return fail(ErrorCode::InvalidValue, "the region is NULL");
  const auto &region = *static_cast<const cl_buffer_region *>(info);
  US_TRY(Ref<ClMem> memory, makeObject<ClMem>());
  // The core knows the rules of the region: bounds, emptiness, alignment.
  US_TRY(memory->buffer, parent.buffer->createSubBuffer(region.origin, region.size, kernelAccess(effective)));
  memory->context = parent.context;
  memory->parent = Ref<ClMem>(&parent);
  memory->flags = effective;
  // CL_MEM_HOST_PTR of a sub-buffer: "return the host_ptr + origin value"
  if (parent.hostPointer) memory->hostPointer = static_cast<std::byte *>(parent.hostPointer) + region.origin;
  return giveToApplication(std::move(memory));
}

} // namespace us::opencl
