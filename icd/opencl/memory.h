// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_mem: a buffer or a sub-buffer (images come later).
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "runtime/core/buffer.h"

#include <vector>

namespace us::opencl {

class ClMem : public ClObjectOf<ClMem, cl_mem, HandleKind::Memory, ErrorCode::InvalidMemObject> {
public:
  static constexpr const char *kName = "memory object";
  void releasedByApplication() { buffer->releasedByApplication(); }
  /// CL_MEM_REFERENCE_COUNT: the application's count, and one per sub-buffer and per unfinished unmap.
  uint32_t referenceCount() const { return applicationCount() + buffer->extraReferences(); }

  Ref<core::Buffer> buffer;
  Ref<ClContext> context;
  Ref<ClMem> parent;                         ///< of a sub-buffer
  cl_mem_flags flags = 0;                    ///< as given; a sub-buffer's with what it inherits
  void *hostPointer = nullptr;               ///< what CL_MEM_HOST_PTR returns
  std::vector<cl_mem_properties> properties; ///< as given, with the final 0; empty if none were given
};

/// The buffer behind a handle.
ExpectedRef<ClMem> bufferFrom(cl_mem handle);

} // namespace us::opencl
