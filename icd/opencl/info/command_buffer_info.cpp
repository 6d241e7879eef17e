// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetCommandBufferInfoKHR.
#include "icd/common/info_table.h"
#include "icd/opencl/command_buffer.h"
#include "icd/opencl/entry_points.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

cl_command_buffer_state_khr stateOf(const ClCommandBuffer &buffer) {
  constexpr cl_command_buffer_state_khr kStates[] = {CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
                                                     CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR,
                                                     CL_COMMAND_BUFFER_STATE_PENDING_KHR};
  return kStates[static_cast<size_t>(buffer.core->state())];
}

constexpr InfoRow<ClCommandBuffer> kRows[] = {
    {CL_COMMAND_BUFFER_NUM_QUEUES_KHR, [](auto &, InfoWriter &w) { return w.put<cl_uint>(1); }},
    {CL_COMMAND_BUFFER_QUEUES_KHR, [](auto &b, InfoWriter &w) { return w.put<cl_command_queue>(b.queue->handle()); }},
    {CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR,
     [](auto &b, InfoWriter &w) { return w.put<cl_uint>(b.applicationCount()); }},
    {CL_COMMAND_BUFFER_STATE_KHR,
     [](auto &b, InfoWriter &w) { return w.put<cl_command_buffer_state_khr>(stateOf(b)); }},
    {CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR,
     [](auto &b, InfoWriter &w) { return w.template putArray<cl_command_buffer_properties_khr>(b.properties); }},
};

} // namespace

// clGetCommandBufferInfoKHR
Expected<void> getCommandBufferInfoKHR(cl_command_buffer_khr handle, cl_command_buffer_info_khr name, size_t size,
                                       void *value, size_t *sizeReturned) {
  // "CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer."
  US_TRY(ClCommandBuffer & buffer, commandBufferFrom(handle));
  return icd::answer(kRows, buffer, name, size, value, sizeReturned);
}

} // namespace us::opencl
