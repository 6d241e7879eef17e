// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: allocation, and what kernels are told of it. The enqueue calls are in enqueue_svm.cpp.
#include "icd/opencl/svm.h"

#include "icd/opencl/api.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/kernel.h"
#include "icd/opencl/memory.h"

#include <bit>
#include <string>
#include <vector>

namespace us::opencl {
namespace {

/// What a device must have for an allocation with these flags.
uint64_t capabilitiesFor(cl_svm_mem_flags flags) {
  return (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? core::kSvmFineGrainBuffer : core::kSvmCoarseGrainBuffer) |
         (flags & CL_MEM_SVM_ATOMICS ? core::kSvmAtomics : 0);
}

Expected<void> checkFlags(cl_svm_mem_flags flags) {
  constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_svm_mem_flags kFine = CL_MEM_SVM_FINE_GRAIN_BUFFER, kAtomics = CL_MEM_SVM_ATOMICS;
  // "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY are mutually exclusive."
  if ((flags & ~(kAccess | kFine | kAtomics)) || std::popcount(flags & kAccess) > 1)
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no set of flags for shared memory", flags));
  // "flags does not contain CL_MEM_SVM_FINE_GRAIN_BUFFER but does contain CL_MEM_SVM_ATOMICS."
  if ((flags & kAtomics) && !(flags & kFine))
    return fail(ErrorCode::InvalidValue, "CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER");
  return {};
}

/// The kernel of a call that sets what it uses of shared memory.
ExpectedRef<ClKernel> kernelForShared(cl_kernel handle) {
  // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
  US_TRY(ClKernel & kernel, kernelFrom(handle));
  // "CL_INVALID_OPERATION if no devices in the context associated with kernel support SVM."
  if (svmCapabilitiesOf(*kernel.program->context) == 0)
    return fail(ErrorCode::InvalidOperation, "no device of the kernel's context has shared virtual memory");
  return kernel;
}

Expected<void> setPointers(ClKernel &kernel, size_t size, const void *value) {
  // "CL_INVALID_VALUE ... if the size specified by param_value_size is not valid": an array of pointers.
  if (size % sizeof(void *))
    return fail(ErrorCode::InvalidValue, icd::format("{} bytes are no list of pointers", size));
  auto *pointers = static_cast<const void *const *>(value);
  return kernel.core->setIndirectPointers(std::vector<const void *>(pointers, pointers + size / sizeof(void *)));
}

Expected<void> setFineGrainSystem(ClKernel &kernel, size_t size, const void *value) {
  if (size != sizeof(cl_bool)) return fail(ErrorCode::InvalidValue, icd::format("{} bytes are no cl_bool", size));
  cl_bool uses = *static_cast<const cl_bool *>(value);
  // "CL_INVALID_OPERATION if param_name = CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM and param_value = CL_TRUE but no
  // devices in context associated with kernel support fine-grain system SVM allocations."
  if (uses && !(svmCapabilitiesOf(*kernel.program->context) & core::kSvmFineGrainSystem))
    return fail(ErrorCode::InvalidOperation, "no device of the kernel's context reaches all memory of the host");
  return kernel.core->setUsesSystemMemory(uses);
}

/// Buffers are the program's to keep as long as kernels use their addresses: there is nothing to remember.
Expected<void> setDevicePointers(ClKernel &kernel, size_t size, const void *) {
  // "CL_INVALID_OPERATION if param_name is CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT and no devices in the context associated
  // with kernel support the cl_ext_buffer_device_address extension."
  if (!anyHasDeviceAddresses(*kernel.program->context))
    return fail(ErrorCode::InvalidOperation, "no device of the kernel's context tells the addresses of buffers");
  if (size % sizeof(cl_mem_device_address_ext))
    return fail(ErrorCode::InvalidValue, icd::format("{} bytes are no list of addresses", size));
  return {};
}

/// What a kernel reaches without being told of it is the program's to keep: there is nothing to remember.
Expected<void> setIndirectAccess(ClKernel &, size_t size, const void *) {
  if (size != sizeof(cl_bool)) return fail(ErrorCode::InvalidValue, icd::format("{} bytes are no cl_bool", size));
  return {};
}

struct ExecInfoRow {
  cl_kernel_exec_info name;
  Expected<void> (*set)(ClKernel &kernel, size_t size, const void *value);
};
constexpr ExecInfoRow kExecInfo[] = {
    {CL_KERNEL_EXEC_INFO_SVM_PTRS, setPointers},
    {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, setFineGrainSystem},
    {CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, setPointers},
    {CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, setDevicePointers},
    {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, setIndirectAccess},
    {CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, setIndirectAccess},
    {CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, setIndirectAccess},
};

} // namespace

uint64_t svmCapabilitiesOf(const ClContext &context) {
  uint64_t any = 0;
  for (const Ref<ClDevice> &device : context.devices) any |= device->info().svmCapabilities;
  return any;
}

// clSVMAlloc
Expected<void *> svmAlloc(cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  // "context is not a valid context"
  US_TRY(ClContext & context, contextFrom(handle));
  US_CHECK(checkFlags(flags));
  const uint64_t needed = capabilitiesFor(flags);
  for (const Ref<ClDevice> &device : context.devices) {
    // "CL_MEM_SVM_FINE_GRAIN_BUFFER or CL_MEM_SVM_ATOMICS is specified in flags and these are not supported by at least
    // one device in context."
    if ((device->info().svmCapabilities & needed) != needed)
      return fail(ErrorCode::InvalidOperation,
                  icd::format("the SVM capabilities {:#x} are asked for, {} has {:#x}", needed, device->info().name,
                              device->info().svmCapabilities));
    // "size is 0 or > CL_DEVICE_MAX_MEM_ALLOC_SIZE value for any device in context."
    if (size == 0 || size > device->info().maxAllocation)
      return fail(ErrorCode::InvalidValue, icd::format("{} bytes of shared memory are asked for, {} has 1 to {}", size,
                                                       device->info().name, device->info().maxAllocation));
  }
  // "alignment is not a power of two or the OpenCL implementation cannot support the specified alignment for at least
  // one device in context."
  if (alignment & (alignment - 1))
    return fail(ErrorCode::InvalidValue, icd::format("an alignment of {} is no power of two", alignment));
  // "There was a failure to allocate resources."
  if (CommandChecks *const checks = commandChecks(); checks && (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER))
    checks->hasFineGrainMemory();
  US_TRY(Ref<core::SvmAllocation> made, context.core->svm().allocate(*context.core, {size, alignment, needed}));
  return made->begin();
}

// clSVMFree
Expected<void> svmFree(cl_context handle, void *pointer) {
  US_TRY(ClContext & context, contextFrom(handle));
  // "If svm_pointer is NULL, clSVMFree has no effect."
  if (!pointer) return {};
  // Unified shared memory has a call of its own.
  Ref<core::SvmAllocation> allocation;
  if (!context.unified.at(pointer)) allocation = context.core->svm().remove(pointer);
  if (!allocation)
    return fail(ErrorCode::InvalidValue,
                icd::format("{} is not the beginning of shared memory of the context", pointer));
  allocation->releasedByApplication();
  // "clSVMFree does not wait for previously enqueued commands that may be using svm_pointer to finish before freeing
  // svm_pointer. It is the responsibility of the application to make sure that enqueued commands that use svm_pointer
  // have finished": those that have not keep the memory until then, and the application hears of its error.
  if (allocation->unique()) return {};
  std::string users;
  for (const std::string &name : core::usersOf(*allocation)) users += (users.empty() ? "" : ", ") + name;
  if (users.empty() && allocation->isRecorded()) return {}; // a command buffer keeps it, and does not run
  context.report(icd::format("clSVMFree: {} bytes of shared memory at {} are still used: {}", allocation->size(),
                             pointer, users.empty() ? "a buffer or a blocking call" : users));
  return {};
}

// clSetKernelArgSVMPointer
Expected<void> setKernelArgSVMPointer(cl_kernel handle, cl_uint index, const void *pointer) {
  US_TRY(ClKernel & kernel, kernelForShared(handle));
  // "CL_INVALID_ARG_INDEX if arg_index is not a valid argument index."
  const auto &arguments = kernel.core->info().arguments;
  if (index >= arguments.size())
    return fail(ErrorCode::InvalidArgIndex,
                icd::format("argument {} of kernel {}, which has {}", index, kernel.core->name(), arguments.size()));
  // "CL_INVALID_ARG_VALUE if arg_value specified is not a valid value": an argument that takes no pointer. Whether the
  // device can follow this pointer is a question for the launch, when it is known which device that is.
  return kernel.core->setPointer(index, pointer);
}

// clSetKernelArgDevicePointerEXT
Expected<void> setKernelArgDevicePointerEXT(cl_kernel handle, cl_uint index, cl_mem_device_address_ext address) {
  US_TRY(ClKernel & kernel, kernelFrom(handle));
  // "CL_INVALID_OPERATION if no devices in the context associated with kernel support the cl_ext_buffer_device_address
  // extension."
  if (!anyHasDeviceAddresses(*kernel.program->context))
    return fail(ErrorCode::InvalidOperation, "no device of the kernel's context tells the addresses of buffers");
  // "CL_INVALID_ARG_INDEX if arg_index is not a valid argument index", or "corresponds to an argument that is not a
  // pointer to the global address space."
  const auto &arguments = kernel.core->info().arguments;
  if (index >= arguments.size() || arguments[index].kind != ArgumentKind::GlobalPointer)
    return fail(ErrorCode::InvalidArgIndex,
                icd::format("argument {} of kernel {} is no pointer to global memory", index, kernel.core->name()));
  return kernel.core->setPointer(index, reinterpret_cast<const void *>(address));
}

// clSetKernelExecInfo
Expected<void> setKernelExecInfo(cl_kernel handle, cl_kernel_exec_info name, size_t size, const void *value) {
  US_TRY(ClKernel & kernel, kernelForShared(handle));
  // "CL_INVALID_VALUE if param_name is not valid, if param_value is NULL and param_value_size is greater than zero, or
  // if the size specified by param_value_size is not valid."
  if (!value && size) return fail(ErrorCode::InvalidValue, "the value is NULL");
  for (const ExecInfoRow &row : kExecInfo)
    if (row.name == name) return row.set(kernel, size, value);
  return fail(ErrorCode::InvalidValue, icd::format("there is nothing {:#x} to tell a kernel", name));
}

} // namespace us::opencl
