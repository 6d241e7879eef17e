// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about memory objects of any kind.
#include "icd/opencl/memory.h"

#include "icd/opencl/api.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>
#include <bit>

namespace us::opencl {
namespace {

/// Flags by which somebody may write.
constexpr cl_mem_flags kWriters = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;

} // namespace

ExpectedRef<ClMem> bufferFrom(cl_mem handle) {
  US_TRY(ClMem & memory, fromHandle<ClMem>(handle));
  if (memory.isImage()) return fail(ErrorCode::InvalidMemObject, "the memory object is an image, a buffer is wanted");
  if (memory.isPipe()) return fail(ErrorCode::InvalidMemObject, "the memory object is a pipe, a buffer is wanted");
  return memory;
}

ExpectedRef<ClMem> imageFrom(cl_mem handle) {
  US_TRY(ClMem & memory, fromHandle<ClMem>(handle));
  if (!memory.isImage()) return fail(ErrorCode::InvalidMemObject, "the memory object is no image");
  return memory;
}

ExpectedRef<ClMem> pipeFrom(cl_mem handle) {
  US_TRY(ClMem & memory, fromHandle<ClMem>(handle));
  if (!memory.isPipe()) return fail(ErrorCode::InvalidMemObject, "the memory object is no pipe");
  return memory;
}

// "CL_INVALID_VALUE if values specified in flags are not valid as defined in the Memory Flags table."
Expected<void> checkMemoryFlags(const ClContext &context, cl_mem_flags flags) {
  if (flags & ~(kKernelAccess | kHostPointer | kHostAccess | CL_MEM_IMMUTABLE_EXT))
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that are no flag of a memory object", flags));
  // "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY are mutually exclusive."
  if (std::popcount(flags & kKernelAccess) > 1)
    return fail(ErrorCode::InvalidValue,
                "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY exclude each other");
  // "CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS are mutually exclusive."
  if (std::popcount(flags & kHostAccess) > 1)
    return fail(ErrorCode::InvalidValue, "the CL_MEM_HOST_* access flags exclude each other");
  // "CL_MEM_COPY_HOST_PTR and CL_MEM_USE_HOST_PTR are mutually exclusive." "CL_MEM_ALLOC_HOST_PTR and
  // CL_MEM_USE_HOST_PTR are mutually exclusive."
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(ErrorCode::InvalidValue, "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
  // "if CL_MEM_IMMUTABLE_EXT is set in flags and CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, or CL_MEM_HOST_WRITE_ONLY is set
  // in flags"
  if (!(flags & CL_MEM_IMMUTABLE_EXT)) return {};
  if (flags & kWriters)
    return fail(ErrorCode::InvalidValue, "CL_MEM_IMMUTABLE_EXT excludes flags that let kernels or the host write");
  const bool isOffered = std::ranges::any_of(context.devices, [](const Ref<ClDevice> &device) {
    return hasExtension(*device, "cl_ext_immutable_memory_objects");
  });
  if (!isOffered) return fail(ErrorCode::InvalidValue, "no device of the context has immutable memory objects");
  return {};
}

// "if CL_MEM_IMMUTABLE_EXT is set in flags and none of the following conditions are met: CL_MEM_COPY_HOST_PTR or
// CL_MEM_USE_HOST_PTR is set in flags"; "properties includes an external memory handle"
Expected<void> checkImmutableHasContents(cl_mem_flags flags, bool isExternal) {
  if (!(flags & CL_MEM_IMMUTABLE_EXT) || isExternal) return {};
  if (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) return {};
  return fail(ErrorCode::InvalidValue, "CL_MEM_IMMUTABLE_EXT without CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR");
}

// "CL_INVALID_OPERATION if dst_buffer was created with CL_MEM_IMMUTABLE_EXT", and alike for each command that writes
Expected<void> checkIsMutable(const ClMem &memory) {
  if (!(memory.flags & CL_MEM_IMMUTABLE_EXT)) return {};
  return fail(ErrorCode::InvalidOperation,
              icd::format("the {} was created with CL_MEM_IMMUTABLE_EXT: no command writes it", nounOf(memory)));
}

Expected<cl_mem_flags> inheritMemoryFlags(const ClMem &other, cl_mem_flags flags) {
  const cl_mem_flags parent = other.flags;
  US_CHECK(checkMemoryFlags(*other.context, flags));
  // "CL_INVALID_VALUE if flags specifies CL_MEM_USE_HOST_PTR or CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR"
  if (flags & kHostPointer)
    return fail(ErrorCode::InvalidValue, "what is made from another memory object has its host pointer flags");
  // "if buffer was created with CL_MEM_WRITE_ONLY and flags specifies CL_MEM_READ_WRITE or CL_MEM_READ_ONLY"
  if ((parent & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)))
    return fail(ErrorCode::InvalidValue, "what is made from a write-only memory object is write-only");
  // "if buffer was created with CL_MEM_READ_ONLY and flags specifies CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY"
  if ((parent & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)))
    return fail(ErrorCode::InvalidValue, "what is made from a read-only memory object is read-only");
  // "if buffer was created with CL_MEM_HOST_WRITE_ONLY and flags specify CL_MEM_HOST_READ_ONLY", "...
  // CL_MEM_HOST_READ_ONLY and flags specify CL_MEM_HOST_WRITE_ONLY", "... CL_MEM_HOST_NO_ACCESS and flags specify
  // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_WRITE_ONLY"
  bool clash = ((parent & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) ||
               ((parent & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) ||
               ((parent & CL_MEM_HOST_NO_ACCESS) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)));
  if (clash)
    return fail(ErrorCode::InvalidValue, "host access is asked for that the other memory object does not allow");
  // "if buffer was created with CL_MEM_IMMUTABLE_EXT and flags specifies CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, or
  // CL_MEM_HOST_WRITE_ONLY"
  if ((parent & CL_MEM_IMMUTABLE_EXT) && (flags & kWriters))
    return fail(ErrorCode::InvalidValue, "nobody may write what is made from an immutable memory object");
  // "If the CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_IMMUTABLE_EXT, or CL_MEM_WRITE_ONLY values are not specified in
  // flags, they are inherited"; what is only to be read of something immutable is immutable all the same.
  if (!(flags & (kKernelAccess | CL_MEM_IMMUTABLE_EXT))) flags |= parent & kKernelAccess;
  if (!(flags & kHostAccess)) flags |= parent & kHostAccess;
  return flags | (parent & (kHostPointer | CL_MEM_IMMUTABLE_EXT));
}

Expected<void> checkHostPointer(cl_mem_flags flags, const void *hostPointer) {
  // "CL_INVALID_HOST_PTR if host_ptr is NULL, and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags"; "if
  // host_ptr is not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR are not set in flags"
  bool wantsPointer = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if (wantsPointer == (hostPointer != nullptr)) return {};
  return fail(ErrorCode::InvalidHostPtr, hostPointer
                                             ? "a host pointer without a flag that says what it is for"
                                             : "CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR without a host pointer");
}

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
  memory.buffer->addDestructorCallback([=] {
    if (CommandChecks *const checks = commandChecks()) checks->hostMayKnowAll();
    callback(handle, userData);
  });
  return {};
}

} // namespace us::opencl
