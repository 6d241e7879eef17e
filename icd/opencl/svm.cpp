// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory. No device has it yet: these make the API's checks and return its error for that case.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/kernel.h"

namespace us::opencl {
namespace {

/// "CL_INVALID_OPERATION if the device associated with command queue does not support SVM."
Expected<void> refuse(cl_command_queue queue, cl_uint count, const cl_event *list) {
  US_TRY(ClQueue & known, queueFrom(queue));
  US_CHECK(waitListFrom(*known.context, count, list));
  return fail(ErrorCode::InvalidOperation, "the device has no shared virtual memory");
}

} // namespace

// clSVMAlloc
Expected<void *> svmAlloc(cl_context handle, cl_svm_mem_flags, size_t, cl_uint) {
  US_CHECK(contextFrom(handle));
  // "Otherwise, it returns a NULL pointer value if ... one or more devices in context do not support SVM"
  return fail(ErrorCode::InvalidOperation, "the context has no device with shared virtual memory");
}

// clSVMFree
Expected<void> svmFree(cl_context handle, void *) {
  // "If svm_pointer is NULL, clSVMFree has no effect": there is no other pointer that it could be.
  US_CHECK(contextFrom(handle));
  return {};
}

// clEnqueueSVMFree
Expected<void> enqueueSVMFree(cl_command_queue queue, cl_uint, void *[],
                              void(CL_CALLBACK *)(cl_command_queue, cl_uint, void *[], void *), void *, cl_uint count,
                              const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueSVMMemcpy
Expected<void> enqueueSVMMemcpy(cl_command_queue queue, cl_bool, void *, const void *, size_t, cl_uint count,
                                const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueSVMMemFill
Expected<void> enqueueSVMMemFill(cl_command_queue queue, void *, const void *, size_t, size_t, cl_uint count,
                                 const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueSVMMap
Expected<void> enqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void *, size_t, cl_uint count,
                             const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueSVMUnmap
Expected<void> enqueueSVMUnmap(cl_command_queue queue, void *, cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueSVMMigrateMem
Expected<void> enqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void **, const size_t *,
                                    cl_mem_migration_flags, cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clSetKernelArgSVMPointer
Expected<void> setKernelArgSVMPointer(cl_kernel handle, cl_uint, const void *) {
  US_CHECK(kernelFrom(handle));
  // "CL_INVALID_OPERATION if no devices in the context associated with kernel support SVM."
  return fail(ErrorCode::InvalidOperation, "the context has no device with shared virtual memory");
}

// clSetKernelExecInfo
Expected<void> setKernelExecInfo(cl_kernel handle, cl_kernel_exec_info, size_t, const void *) {
  US_CHECK(kernelFrom(handle));
  // "CL_INVALID_OPERATION if no devices in the context associated with kernel support SVM."
  return fail(ErrorCode::InvalidOperation, "the context has no device with shared virtual memory");
}

} // namespace us::opencl
