// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/external_memory.h"

#include "icd/opencl/api.h"
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace us::opencl {
namespace {

constexpr const char *kOpaqueFd = "cl_khr_external_memory_opaque_fd";

bool importsDescriptors(const ClDevice &device) { return hasExtension(device, kOpaqueFd); }

/// The list of CL_MEM_DEVICE_HANDLE_LIST_KHR; `list` is behind its end afterwards.
Expected<std::vector<Ref<ClDevice>>> devicesOf(const ClContext &context, const cl_mem_properties *&list) {
  std::vector<Ref<ClDevice>> devices;
  for (; *list != CL_MEM_DEVICE_HANDLE_LIST_END_KHR; ++list) {
    // "CL_INVALID_DEVICE if a device identified by the property CL_MEM_DEVICE_HANDLE_LIST_KHR is not a valid device or
    // is not associated with context"
    US_TRY(ClDevice & device, fromHandle<ClDevice>(reinterpret_cast<cl_device_id>(*list)));
    if (!context.has(device)) return fail(ErrorCode::InvalidDevice, "the memory's device is not one of the context's");
    devices.push_back(Ref<ClDevice>(&device));
  }
  ++list;
  return devices;
}

/// Both commands: the memory is the same for everybody at any time, so that they are only points in the order.
Expected<void> enqueueHandover(cl_command_queue queue, cl_command_type type, cl_uint objects, const cl_mem *handles,
                               const EventParameters &events) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, type, events));
  // "CL_INVALID_VALUE if num_mem_objects is zero and mem_objects is not a NULL value, or if num_mem_objects is greater
  // than 0 and mem_objects is NULL."
  if ((objects > 0) != (handles != nullptr))
    return fail(ErrorCode::InvalidValue,
                icd::format("{} memory objects at {}", objects, static_cast<const void *>(handles)));
  for (cl_mem handle : std::span(handles, objects)) {
    // "CL_INVALID_MEM_OBJECT if any of the memory objects in mem_objects is not a valid OpenCL memory object created
    // using an external memory handle."
    US_TRY(ClMem & memory, fromHandle<ClMem>(handle));
    if (memory.externalDevices.empty())
      return fail(ErrorCode::InvalidMemObject,
                  icd::format("the {} was not created from an external memory handle", nounOf(memory)));
    // "CL_INVALID_COMMAND_QUEUE if device associated with command_queue is not one of the devices specified by
    // CL_MEM_DEVICE_HANDLE_LIST_KHR at the time of creating one or more of mem_objects, or if one or more of
    // mem_objects belong to a context that does not contain a device associated with command_queue."
    if (std::ranges::find(memory.externalDevices, command.queue().device) == memory.externalDevices.end())
      return fail(ErrorCode::InvalidCommandQueue, "the memory was imported for other devices than the queue's");
    US_CHECK(command.memory(handle));
  }
  return command.enqueue();
}

} // namespace

Expected<bool> takeExternalProperty(const ClContext &context, const cl_mem_properties *&list, ExternalMemory &into) {
  if (std::ranges::none_of(context.devices, [](const auto &device) { return importsDescriptors(*device); }))
    return false;
  if (*list == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR) {
    // "CL_INVALID_PROPERTY if properties includes more than one external memory handle"; "if the value specified for a
    // supported property name is not valid"
    const auto descriptor = static_cast<int64_t>(list[1]);
    if (into.descriptor || descriptor < 0 || descriptor > INT32_MAX)
      return fail(ErrorCode::InvalidProperty,
                  icd::format("{} is no file descriptor, or the second memory handle", descriptor));
    into.descriptor = static_cast<int>(descriptor);
    list += 2;
    return true;
  }
  if (*list != CL_MEM_DEVICE_HANDLE_LIST_KHR) return false;
  if (into.hasDevices) return fail(ErrorCode::InvalidProperty, "CL_MEM_DEVICE_HANDLE_LIST_KHR is given twice");
  into.hasDevices = true;
  US_TRY(into.devices, devicesOf(context, ++list));
  return true;
}

Expected<void> checkExternalMemory(const ClContext &context, const ExternalMemory &external, cl_mem_flags flags,
                                   const void *hostPointer) {
  // "CL_INVALID_PROPERTY if properties does not include a supported external memory handle and
  // CL_MEM_DEVICE_HANDLE_LIST_KHR is specified as part of properties"
  if (!external.descriptor) {
    if (external.hasDevices) return fail(ErrorCode::InvalidProperty, "devices of external memory, and no handle of it");
    return {};
  }
  // "CL_INVALID_DEVICE if a device identified by property CL_MEM_DEVICE_HANDLE_LIST_KHR cannot import the requested
  // external memory object type", or "if CL_MEM_DEVICE_HANDLE_LIST_KHR is not specified as part of properties and one
  // or more devices in context cannot"
  for (const Ref<ClDevice> &device : external.devices.empty() ? context.devices : external.devices)
    if (!importsDescriptors(*device))
      return fail(ErrorCode::InvalidDevice, device->info().name + " imports no memory by file descriptors");
  // "CL_INVALID_VALUE if properties includes a supported external memory handle and flags includes CL_MEM_USE_HOST_PTR,
  // CL_MEM_ALLOC_HOST_PTR, or CL_MEM_COPY_HOST_PTR"
  if (flags & kHostPointer)
    return fail(ErrorCode::InvalidValue, "external memory, and a flag that says where the memory is");
  // "CL_INVALID_HOST_PTR if properties includes a supported external memory handle and host_ptr is not NULL"
  if (hostPointer) return fail(ErrorCode::InvalidHostPtr, "external memory, and a host pointer");
  return {};
}

Expected<MappedDescriptor> MappedDescriptor::map(int descriptor, uint64_t size) {
  struct stat facts{};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
    return fail(ErrorCode::InvalidProperty, icd::format("file descriptor {} is no memory", descriptor));
  // Beyond the file's end an access would be the end of the process.
  if (static_cast<uint64_t>(facts.st_size) < size)
    return fail(ErrorCode::InvalidBufferSize,
                icd::format("{} bytes of external memory that has {}", size, facts.st_size));
  void *begin = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (begin == MAP_FAILED)
    return fail(ErrorCode::InvalidProperty,
                icd::format("file descriptor {} cannot be mapped: {}", descriptor, std::strerror(errno)));
  return MappedDescriptor(static_cast<std::byte *>(begin), size);
}

MappedDescriptor::MappedDescriptor(MappedDescriptor &&other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(other.size_) {}

MappedDescriptor::~MappedDescriptor() {
  if (begin_) ::munmap(begin_, size_);
}

void MappedDescriptor::giveTo(core::Buffer &buffer, int descriptor) {
  // Callbacks run in reverse order, this one after the application's.
  buffer.addDestructorCallback([begin = std::exchange(begin_, nullptr), size = size_] { ::munmap(begin, size); });
  ::close(descriptor);
}

// clEnqueueAcquireExternalMemObjectsKHR
Expected<void> enqueueAcquireExternalMemObjectsKHR(cl_command_queue queue, cl_uint objects, const cl_mem *handles,
                                                   cl_uint count, const cl_event *list, cl_event *event) {
  return enqueueHandover(queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, objects, handles, {count, list, event});
}

// clEnqueueReleaseExternalMemObjectsKHR
Expected<void> enqueueReleaseExternalMemObjectsKHR(cl_command_queue queue, cl_uint objects, const cl_mem *handles,
                                                   cl_uint count, const cl_event *list, cl_event *event) {
  return enqueueHandover(queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, objects, handles, {count, list, event});
}

} // namespace us::opencl
