// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about memory objects of any kind.
#include "icd/opencl/memory.h"

#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"

namespace us::opencl {

// clRetainMemObject
Expected<void> retainMemObject(cl_mem memory) { return retainHandle<ClMem>(memory); }

// clReleaseMemObject
Expected<void> releaseMemObject(cl_mem memory) { return releaseHandle<ClMem>(memory); }

// clSetMemObjectDestructorCallback
Expected<void> setMemObjectDestructorCallback(cl_mem handle, void(CL_CALLBACK *callback)(cl_mem, void *),
                                              void *userData) {
  // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object."
  US_TRY(ClMem & memory, fromHandle<ClMem>(handle));
  noteContext(*memory.context);
  // "CL_INVALID_VALUE if pfn_notify is NULL."
  if (!callback) return fail(ErrorCode::InvalidValue, "the callback is NULL");
  memory.buffer->addDestructorCallback([=] { callback(handle, userData); });
  return {};
}

} // namespace us::opencl
