// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetCommandBufferInfoKHR, clGetMutableCommandInfoKHR.
#include "icd/common/info_table.h"
#include "icd/opencl/command_buffer.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/info/handles.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

cl_command_buffer_state_khr stateOf(const ClCommandBuffer &buffer) {
  constexpr cl_command_buffer_state_khr kStates[] = {CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
                                                     CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR,
                                                     CL_COMMAND_BUFFER_STATE_FINALIZED_KHR};
  return kStates[static_cast<size_t>(buffer.core->state())];
}

constexpr InfoRow<ClCommandBuffer> kCommandBufferInfo[] = {
    {CL_COMMAND_BUFFER_NUM_QUEUES_KHR,
     [](auto &b, InfoWriter &w) { return w.put(static_cast<cl_uint>(b.queues.size())); }},
    {CL_COMMAND_BUFFER_QUEUES_KHR,
     [](auto &b, InfoWriter &w) { return w.template putArray<cl_command_queue>(handlesOf(b.queues)); }},
    {CL_COMMAND_BUFFER_CONTEXT_KHR, [](auto &b, InfoWriter &w) { return w.put<cl_context>(b.context->handle()); }},
    {CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR,
     [](auto &b, InfoWriter &w) { return w.put<cl_uint>(b.applicationCount()); }},
    {CL_COMMAND_BUFFER_STATE_KHR,
     [](auto &b, InfoWriter &w) { return w.put<cl_command_buffer_state_khr>(stateOf(b)); }},
    {CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR,
     [](auto &b, InfoWriter &w) { return w.template putArray<cl_command_buffer_properties_khr>(b.properties); }},
};

/// global_work_offset, global_work_size or local_work_size of a recorded launch.
Expected<void> putSize(const ClMutableCommand &command, InfoWriter &w, const Size3 &size) {
  return w.template putArray<size_t>({size.begin(), size.begin() + command.launch->range.dimensions});
}

constexpr InfoRow<ClMutableCommand> kCommandRows[] = {
    {CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR,
     [](auto &c, InfoWriter &w) { return w.put<cl_command_queue>(c.queue->handle()); }},
    {CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR,
     [](auto &c, InfoWriter &w) { return w.put<cl_command_buffer_khr>(c.buffer->handle()); }},
    {CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR,
     [](auto &, InfoWriter &w) { return w.put<cl_command_type>(CL_COMMAND_NDRANGE_KERNEL); }},
    {CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR,
     [](auto &c, InfoWriter &w) { return w.template putArray<cl_command_properties_khr>(c.properties); }},
    {CL_MUTABLE_DISPATCH_KERNEL_KHR, [](auto &c, InfoWriter &w) { return w.put<cl_kernel>(c.kernel->handle()); }},
    {CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
     [](auto &c, InfoWriter &w) { return w.put<cl_uint>(c.launch->range.dimensions); }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR,
     [](auto &c, InfoWriter &w) { return putSize(c, w, c.launch->range.offset); }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
     [](auto &c, InfoWriter &w) { return putSize(c, w, c.launch->range.global); }},
    {CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, [](auto &c, InfoWriter &w) { return putSize(c, w, c.launch->local); }},
};

} // namespace

// clGetCommandBufferInfoKHR
Expected<void> getCommandBufferInfoKHR(cl_command_buffer_khr handle, cl_command_buffer_info_khr name, size_t size,
                                       void *value, size_t *sizeReturned) {
  // "CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer."
  US_TRY(ClCommandBuffer & buffer, commandBufferFrom(handle));
  return icd::answer(kCommandBufferInfo, buffer, name, size, value, sizeReturned);
}

// clGetMutableCommandInfoKHR
Expected<void> getMutableCommandInfoKHR(cl_mutable_command_khr handle, cl_mutable_command_info_khr name, size_t size,
                                        void *value, size_t *sizeReturned) {
  // "CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command object."
  US_TRY(ClMutableCommand & command, fromHandle<ClMutableCommand>(handle));
  std::lock_guard hold(command.buffer->mutex);
  return icd::answer(kCommandRows, command, name, size, value, sizeReturned);
}

} // namespace us::opencl
