// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetCommandQueueInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/queue.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

cl_command_queue_properties bitsOf(const ClQueue &queue) {
  core::QueueProperties properties = queue.core->properties();
  return (properties.outOfOrder ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
         (properties.profiling ? CL_QUEUE_PROFILING_ENABLE : 0);
}

constexpr InfoRow<ClQueue> kRows[] = {
    {CL_QUEUE_CONTEXT, [](auto &q, InfoWriter &w) { return w.put<cl_context>(q.context->handle()); }},
    {CL_QUEUE_DEVICE, [](auto &q, InfoWriter &w) { return w.put<cl_device_id>(q.device->handle()); }},
    {CL_QUEUE_REFERENCE_COUNT, [](auto &q, InfoWriter &w) { return w.put<cl_uint>(q.applicationCount()); }},
    {CL_QUEUE_PROPERTIES, [](auto &q, InfoWriter &w) { return w.put<cl_command_queue_properties>(bitsOf(q)); }},
    // "If command_queue was created using clCreateCommandQueue, or if the properties argument ... was NULL, the
    // implementation must return param_value_size_ret equal to 0".
    {CL_QUEUE_PROPERTIES_ARRAY,
     [](auto &q, InfoWriter &w) { return w.template putArray<cl_queue_properties>(q.properties); }},
    // "CL_INVALID_COMMAND_QUEUE ... if command_queue is not a valid command-queue for param_name": this is a host
    // queue.
    {CL_QUEUE_SIZE,
     [](auto &, InfoWriter &) -> Expected<void> {
       return fail(ErrorCode::InvalidCommandQueue, "only on-device queues have a size");
     }},
    {CL_QUEUE_DEVICE_DEFAULT, [](auto &, InfoWriter &w) { return w.put<cl_command_queue>(nullptr); }},
};

} // namespace

// clGetCommandQueueInfo
Expected<void> getCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t size, void *value,
                                   size_t *sizeReturned) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue"
  US_TRY(ClQueue & queue, queueFrom(handle));
  return icd::answer(kRows, queue, name, size, value, sizeReturned);
}

} // namespace us::opencl
