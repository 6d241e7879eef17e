// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetMemObjectInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/memory.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

/// "... a list of device addresses for the buffer, one for each device in the context in the same order as the list of
/// devices passed to clCreateContext."
Expected<void> putAddresses(ClMem &memory, InfoWriter &w) {
  // "CL_INVALID_OPERATION ... if the buffer was not allocated with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT."
  if (!memory.tellsAddresses)
    return fail(ErrorCode::InvalidOperation, "the object was not made with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  std::vector<cl_mem_device_address_ext> addresses;
  for (const Ref<ClDevice> &device : memory.context->devices) {
    US_TRY(const std::byte *address, memory.buffer->addressOn(*device->device));
    addresses.push_back(reinterpret_cast<uintptr_t>(address));
  }
  return w.putArray<cl_mem_device_address_ext>(addresses);
}

constexpr InfoRow<ClMem> kMemoryInfo[] = {
    {CL_MEM_TYPE, [](auto &m, InfoWriter &w) { return w.put<cl_mem_object_type>(m.type); }},
    {CL_MEM_FLAGS, [](auto &m, InfoWriter &w) { return w.put<cl_mem_flags>(m.flags); }},
    {CL_MEM_SIZE, [](auto &m, InfoWriter &w) { return w.put<size_t>(m.buffer->size()); }},
    {CL_MEM_HOST_PTR, [](auto &m, InfoWriter &w) { return w.put<void *>(m.hostPointer); }},
    {CL_MEM_MAP_COUNT, [](auto &m, InfoWriter &w) { return w.put<cl_uint>(m.buffer->mapCount()); }},
    {CL_MEM_REFERENCE_COUNT, [](auto &m, InfoWriter &w) { return w.put<cl_uint>(m.referenceCount()); }},
    {CL_MEM_CONTEXT, [](auto &m, InfoWriter &w) { return w.put<cl_context>(m.context->handle()); }},
    {CL_MEM_ASSOCIATED_MEMOBJECT,
     [](auto &m, InfoWriter &w) { return w.put<cl_mem>(m.parent ? m.parent->handle() : nullptr); }},
    // "Return offset if memobj is a sub-buffer object ... 0 otherwise."
    {CL_MEM_OFFSET, [](auto &m, InfoWriter &w) { return w.put<size_t>(m.isSubBuffer() ? m.buffer->origin() : 0); }},
    {CL_MEM_USES_SVM_POINTER,
     [](auto &m, InfoWriter &w) { return w.put<cl_bool>(m.buffer->request().shared ? CL_TRUE : CL_FALSE); }},
    {CL_MEM_DEVICE_ADDRESS_EXT, putAddresses},
    {CL_MEM_PROPERTIES, [](auto &m, InfoWriter &w) { return w.template putArray<cl_mem_properties>(m.properties); }},
};

} // namespace

// clGetMemObjectInfo
Expected<void> getMemObjectInfo(cl_mem handle, cl_mem_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_MEM_OBJECT if memobj is a not a valid memory object."
  US_TRY(ClMem & memory, fromHandle<ClMem>(handle));
  return icd::answer(kMemoryInfo, memory, name, size, value, sizeReturned);
}

} // namespace us::opencl
