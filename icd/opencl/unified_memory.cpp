// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_unified_shared_memory: shared virtual memory of which the context knows the kind and the device. The
// commands on it are in enqueue_svm.cpp.
#include "icd/common/info_table.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/context.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/svm.h"

namespace us::opencl {
namespace {

constexpr const char *kExtension = "cl_intel_unified_shared_memory";

Expected<cl_mem_alloc_flags_intel> flagsFrom(const cl_mem_properties_intel *properties,
                                             cl_mem_alloc_flags_intel possible) {
  // "CL_INVALID_PROPERTY if a memory property name in properties is not a supported property name, if the value
  // specified for a supported property name is not valid, or if the same property name is specified more than once."
  cl_mem_alloc_flags_intel flags = 0;
  bool given = false;
  for (; properties && *properties; properties += 2) {
    if (properties[0] != CL_MEM_ALLOC_FLAGS_INTEL)
      return fail(ErrorCode::InvalidProperty, icd::format("there is no memory property {:#x}", properties[0]));
    if (given) return fail(ErrorCode::InvalidProperty, "CL_MEM_ALLOC_FLAGS_INTEL is given twice");
    given = true;
    flags = properties[1];
    if (flags & ~possible)
      return fail(ErrorCode::InvalidProperty,
                  icd::format("the flags {:#x} of memory, of which {:#x} are possible", flags, possible));
  }
  // "CL_INVALID_PROPERTY if ... both CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL and
  // CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL are specified".
  constexpr cl_mem_alloc_flags_intel kBoth =
      CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
  if ((flags & kBoth) == kBoth)
    return fail(ErrorCode::InvalidProperty, "memory cannot be placed in both places at first");
  return flags;
}

/// The device that memory is for: one of the context, which has the extension.
ExpectedRef<ClDevice> deviceFor(const ClContext &context, cl_device_id handle) {
  // "CL_INVALID_DEVICE if device is not a valid device or is not associated with context."
  US_TRY(ClDevice & device, fromHandle<ClDevice>(handle));
  if (!context.has(device)) return fail(ErrorCode::InvalidDevice, device.info().name + " is no device of the context");
  return device;
}

Expected<void *> allocate(ClContext &context, ClDevice *device, cl_unified_shared_memory_type_intel type,
                          cl_mem_alloc_flags_intel flags, size_t size, cl_uint alignment) {
  // "CL_INVALID_OPERATION if CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL is zero for all devices in context", and likewise
  // for the device of the other kinds.
  uint64_t largest = 0;
  for (const Ref<ClDevice> &one : context.devices) {
    if ((device && one.get() != device) || !hasExtension(*one, kExtension)) continue;
    largest = largest ? std::min(largest, one->info().maxAllocation) : one->info().maxAllocation;
  }
  if (!largest) return fail(ErrorCode::InvalidOperation, "no device that is meant has unified shared memory");
  // "CL_INVALID_VALUE if alignment is not zero or a power of two."
  if (alignment & (alignment - 1))
    return fail(ErrorCode::InvalidValue, icd::format("an alignment of {} is no power of two", alignment));
  // "CL_INVALID_BUFFER_SIZE if size is zero or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for any OpenCL device in
  // context that supports unified shared memory".
  if (size == 0 || size > largest)
    return fail(ErrorCode::InvalidBufferSize,
                icd::format("{} bytes of memory are asked for, there are 1 to {}", size, largest));
  if (CommandChecks *const checks = commandChecks()) checks->hasFineGrainMemory();
  US_TRY(Ref<core::SvmAllocation> made,
         context.core->svm().allocate(*context.core, {size, alignment, core::kSvmFineGrainBuffer | core::kSvmAtomics}));
  context.unified.add(made->begin(), {type, flags, Ref<ClDevice>(device)});
  return made->begin();
}

/// Takes the memory from the context: null if nothing was given.
Expected<Ref<core::SvmAllocation>> release(ClContext &context, void *pointer) {
  if (!pointer) return Ref<core::SvmAllocation>();
  // "CL_INVALID_VALUE if ptr is not a value returned by clHostMemAllocINTEL, clDeviceMemAllocINTEL,
  // clSharedMemAllocINTEL, or NULL".
  if (!context.unified.remove(pointer))
    return fail(ErrorCode::InvalidValue,
                icd::format("{} is not the beginning of unified shared memory of the context", pointer));
  Ref<core::SvmAllocation> allocation = context.core->svm().remove(pointer);
  if (allocation) allocation->releasedByApplication();
  return allocation;
}

struct Asked {
  const core::SvmAllocation *allocation;
  const UnifiedFacts *facts;
};
constexpr icd::InfoRow<Asked> kUnifiedMemoryInfo[] = {
    // "... if ptr is not associated with a Unified Shared Memory allocation": unknown, NULL, zero.
    {CL_MEM_ALLOC_TYPE_INTEL,
     [](auto &a, icd::InfoWriter &w) {
       return w.put<cl_unified_shared_memory_type_intel>(a.facts ? a.facts->type : CL_MEM_TYPE_UNKNOWN_INTEL);
     }},
    {CL_MEM_ALLOC_BASE_PTR_INTEL,
     [](auto &a, icd::InfoWriter &w) { return w.put<const void *>(a.facts ? a.allocation->begin() : nullptr); }},
    {CL_MEM_ALLOC_SIZE_INTEL,
     [](auto &a, icd::InfoWriter &w) { return w.put<size_t>(a.facts ? a.allocation->size() : 0); }},
    {CL_MEM_ALLOC_DEVICE_INTEL,
     [](auto &a, icd::InfoWriter &w) {
       return w.put<cl_device_id>(a.facts && a.facts->device ? a.facts->device->handle() : nullptr);
     }},
    {CL_MEM_ALLOC_FLAGS_INTEL,
     [](auto &a, icd::InfoWriter &w) { return w.put<cl_mem_alloc_flags_intel>(a.facts ? a.facts->flags : 0); }},
};

} // namespace

void UnifiedMemory::add(const void *pointer, UnifiedFacts facts) {
  std::lock_guard hold(mutex_);
  facts_[pointer] = std::move(facts);
}

bool UnifiedMemory::remove(const void *pointer) {
  std::lock_guard hold(mutex_);
  return facts_.erase(pointer) != 0;
}

std::optional<UnifiedFacts> UnifiedMemory::at(const void *pointer) const {
  std::lock_guard hold(mutex_);
  const auto found = facts_.find(pointer);
  return found == facts_.end() ? std::nullopt : std::optional(found->second);
}

// clHostMemAllocINTEL
Expected<void *> hostMemAllocINTEL(cl_context handle, const cl_mem_properties_intel *properties, size_t size,
                                   cl_uint alignment) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  US_TRY(const cl_mem_alloc_flags_intel flags, flagsFrom(properties, CL_MEM_ALLOC_WRITE_COMBINED_INTEL));
  return allocate(context, nullptr, CL_MEM_TYPE_HOST_INTEL, flags, size, alignment);
}

// clDeviceMemAllocINTEL
Expected<void *> deviceMemAllocINTEL(cl_context handle, cl_device_id deviceHandle,
                                     const cl_mem_properties_intel *properties, size_t size, cl_uint alignment) {
  US_TRY(ClContext & context, contextFrom(handle));
  US_TRY(ClDevice & device, deviceFor(context, deviceHandle));
  US_TRY(const cl_mem_alloc_flags_intel flags, flagsFrom(properties, CL_MEM_ALLOC_WRITE_COMBINED_INTEL));
  return allocate(context, &device, CL_MEM_TYPE_DEVICE_INTEL, flags, size, alignment);
}

// clSharedMemAllocINTEL
Expected<void *> sharedMemAllocINTEL(cl_context handle, cl_device_id deviceHandle,
                                     const cl_mem_properties_intel *properties, size_t size, cl_uint alignment) {
  US_TRY(ClContext & context, contextFrom(handle));
  // "device is an optional OpenCL device ID".
  ClDevice *device = nullptr;
  if (deviceHandle) {
    US_TRY(ClDevice & given, deviceFor(context, deviceHandle));
    device = &given;
  }
  US_TRY(const cl_mem_alloc_flags_intel flags,
         flagsFrom(properties, CL_MEM_ALLOC_WRITE_COMBINED_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                   CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL));
  return allocate(context, device, CL_MEM_TYPE_SHARED_INTEL, flags, size, alignment);
}

// clMemFreeINTEL
Expected<void> memFreeINTEL(cl_context handle, void *pointer) {
  US_TRY(ClContext & context, contextFrom(handle));
  // "clMemFreeINTEL may not wait for previously enqueued commands that may be using ptr": they keep the memory.
  US_CHECK(release(context, pointer));
  return {};
}

// clMemBlockingFreeINTEL
Expected<void> memBlockingFreeINTEL(cl_context handle, void *pointer) {
  US_TRY(ClContext & context, contextFrom(handle));
  US_TRY(const Ref<core::SvmAllocation> allocation, release(context, pointer));
  // "... waits for previously enqueued commands that may be using ptr to finish before freeing".
  if (allocation) core::waitForUsers(*allocation);
  return {};
}

// clGetMemAllocInfoINTEL
Expected<void> getMemAllocInfoINTEL(cl_context handle, const void *pointer, cl_mem_info_intel name, size_t size,
                                    void *value, size_t *sizeReturned) {
  US_TRY(ClContext & context, contextFrom(handle));
  const Ref<core::SvmAllocation> allocation = context.core->svm().find(pointer);
  const std::optional<UnifiedFacts> facts =
      allocation ? context.unified.at(allocation->begin()) : std::optional<UnifiedFacts>();
  Asked asked{allocation.get(), facts ? &*facts : nullptr};
  return icd::answer(kUnifiedMemoryInfo, asked, name, size, value, sizeReturned);
}

// clSetKernelArgMemPointerINTEL
Expected<void> setKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void *pointer) {
  return setKernelArgSVMPointer(kernel, index, pointer);
}

} // namespace us::opencl
