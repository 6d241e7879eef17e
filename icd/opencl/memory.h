// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_mem: a buffer, a sub-buffer, an image, or a pipe.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "icd/opencl/newer_cl.h"
#include "runtime/core/buffer.h"
#include "runtime/core/image.h"
#include "runtime/core/pipe.h"

#include <vector>

namespace us::opencl {

class ClMem : public ClObjectOf<ClMem, cl_mem, HandleKind::Memory, ErrorCode::InvalidMemObject> {
public:
  static constexpr const char *kName = "memory object";
  void releasedByApplication() { buffer->releasedByApplication(); }
  /// CL_MEM_REFERENCE_COUNT: the application's count, and one per sub-buffer and per unfinished unmap.
  uint32_t referenceCount() const { return applicationCount() + buffer->extraReferences(); }

  bool isImage() const { return image != nullptr; }
  bool isPipe() const { return pipe != nullptr; }
  bool isSubBuffer() const { return parent && !image; }

  Ref<core::Buffer> buffer; ///< an image's or a pipe's: what it lies in
  Ref<core::Image> image;   ///< null: no image
  Ref<core::Pipe> pipe;     ///< null: no pipe
  Ref<ClContext> context;
  Ref<ClMem> parent;                          ///< of a sub-buffer, or of an image made from another object
  cl_mem_flags flags = 0;                     ///< as given, with what is inherited from the parent
  void *hostPointer = nullptr;                ///< what CL_MEM_HOST_PTR returns
  std::vector<cl_mem_properties> properties;  ///< as given, with the final 0; empty if none were given
  bool tellsAddresses = false;                ///< CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
  std::vector<Ref<ClDevice>> externalDevices; ///< who imported external memory; empty: it is none
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  cl_image_format format{}; ///< an image's, as given
  size_t imageRowPitch = 0; ///< what CL_IMAGE_ROW_PITCH returns (a 1D array's layers may lie further apart)
  cl_uint mipLevels = 0;    ///< of an image, as given: 0 or 1 for what is no mipmap
};

inline const char *nounOf(const ClMem &memory) {
  return memory.isImage() ? "image" : memory.isPipe() ? "pipe" : memory.parent ? "sub-buffer" : "buffer";
}

/// The buffer behind a handle; InvalidMemObject for an image or a pipe.
ExpectedRef<ClMem> bufferFrom(cl_mem handle);
/// The image behind a handle; InvalidMemObject for a buffer or a pipe.
ExpectedRef<ClMem> imageFrom(cl_mem handle);
/// The pipe behind a handle; InvalidMemObject for anything else.
ExpectedRef<ClMem> pipeFrom(cl_mem handle);

constexpr cl_mem_flags kKernelAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

constexpr KernelAccess kernelAccess(cl_mem_flags flags) {
  return {.reads = !(flags & CL_MEM_WRITE_ONLY), .writes = !(flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT))};
}

/// cl_ext_buffer_device_address.
bool anyHasDeviceAddresses(const ClContext &context);

/// The flags of a call in this context: InvalidValue.
Expected<void> checkMemoryFlags(const ClContext &context, cl_mem_flags flags);
/// Whether an object that nobody may change is told its contents, or has those of external memory: InvalidValue.
Expected<void> checkImmutableHasContents(cl_mem_flags flags, bool isExternal);
/// The flags of an object made from another: what is asked for, checked against the other's, the rest inherited.
Expected<cl_mem_flags> inheritMemoryFlags(const ClMem &parent, cl_mem_flags flags);
/// InvalidOperation for the destination of a command that nobody may change (cl_ext_immutable_memory_objects).
Expected<void> checkIsMutable(const ClMem &memory);
/// Whether a host pointer was given exactly when the flags say what it is for: InvalidHostPtr.
Expected<void> checkHostPointer(cl_mem_flags flags, const void *hostPointer);

} // namespace us::opencl
