// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes. No device has them yet: these return the API's error for that case.
#include "icd/opencl/entry_points.h"
#include "icd/opencl/memory.h"

namespace us::opencl {

// clCreatePipe
Expected<cl_mem> createPipe(cl_context context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties *) {
  US_CHECK(contextFrom(context));
  // "CL_INVALID_OPERATION if no devices in context support pipes."
  return fail(ErrorCode::InvalidOperation, "the context has no device with pipes");
}

// clGetPipeInfo
Expected<void> getPipeInfo(cl_mem pipe, cl_pipe_info, size_t, void *, size_t *) {
  // "CL_INVALID_MEM_OBJECT if pipe is a not a valid pipe object."
  US_CHECK(fromHandle<ClMem>(pipe));
  return fail(ErrorCode::InvalidMemObject, "the memory object is a buffer");
}

} // namespace us::opencl
