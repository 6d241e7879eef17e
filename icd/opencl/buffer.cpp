// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that make buffers and sub-buffers.
#include "icd/opencl/api.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/memory.h"

#include <algorithm>

namespace us::opencl {
namespace {

Expected<cl_mem> makeBuffer(cl_context handle, std::vector<cl_mem_properties> properties, cl_mem_flags flags,
                            size_t size, void *hostPointer, bool tellsAddresses = false) {
  US_TRY(ClContext & context, contextFrom(handle));
  US_CHECK(checkMemoryFlags(context, flags));
  US_CHECK(checkImmutableHasContents(flags));
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
  US_TRY(Ref<ClMem> memory, makeObject<ClMem>());
  // "CL_INVALID_BUFFER_SIZE if size is zero"; "if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in
  // context"
  US_TRY(memory->buffer, core::Buffer::create(*context.core, request));
  memory->context = Ref<ClContext>(&context);
  memory->flags = flags;
  memory->hostPointer = flags & CL_MEM_USE_HOST_PTR ? hostPointer : nullptr;
  memory->properties = std::move(properties);
  memory->tellsAddresses = tellsAddresses;
  if (CommandChecks *const checks = commandChecks(); checks && memory->hostPointer) checks->usesHostMemory(*memory);
  return giveToApplication(std::move(memory));
}

/// Whether a buffer's addresses can be asked for (cl_ext_buffer_device_address).
Expected<bool> addressesToldBy(const ClContext &context, const cl_mem_properties *properties) {
  // "CL_INVALID_PROPERTY if a property name in properties is not a supported property name, if the value specified for
  // a supported property name is not valid, or if the same property name is specified more than once."
  bool isTold = false, isGiven = false;
  for (; properties && *properties; properties += 2) {
    if (properties[0] != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT)
      return fail(ErrorCode::InvalidProperty, icd::format("there is no buffer property {:#x}", properties[0]));
    if (isGiven || properties[1] > CL_TRUE)
      return fail(ErrorCode::InvalidProperty, "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is given twice, or is no cl_bool");
    isGiven = true;
    isTold = properties[1] == CL_TRUE;
  }
  // "CL_INVALID_OPERATION if properties includes CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT and there are no devices in the
  // context that support the cl_ext_buffer_device_address extension".
  if (isGiven && !anyHasDeviceAddresses(context))
    return fail(ErrorCode::InvalidOperation, "no device of the context tells the addresses of buffers");
  return isTold;
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
  US_TRY(const bool tellsAddresses, addressesToldBy(known, properties));
  std::vector<cl_mem_properties> copy;
  for (; properties && *properties; properties += 2) copy.insert(copy.end(), {properties[0], properties[1]});
  if (properties) copy.push_back(0);
  return makeBuffer(context, std::move(copy), flags, size, hostPointer, tellsAddresses);
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
