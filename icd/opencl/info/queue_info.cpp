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
  if (queue.onDevice)
    return CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
           (queue.onDevice->profiling() ? CL_QUEUE_PROFILING_ENABLE : 0) |
           (defaultDeviceQueue(*queue.context, *queue.device) == queue.handle() ? CL_QUEUE_ON_DEVICE_DEFAULT : 0);
  core::QueueProperties properties = queue.core->properties();
  return (properties.outOfOrder ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
         (properties.profiling ? CL_QUEUE_PROFILING_ENABLE : 0);
}

constexpr InfoRow<ClQueue> kQueueInfo[] = {
    {CL_QUEUE_CONTEXT, [](auto &q, InfoWriter &w) { return w.put<cl_context>(q.context->handle()); }},
    {CL_QUEUE_DEVICE, [](auto &q, InfoWriter &w) { return w.put<cl_device_id>(q.device->handle()); }},
    {CL_QUEUE_REFERENCE_COUNT, [](auto &q, InfoWriter &w) { return w.put<cl_uint>(q.applicationCount()); }},
    {CL_QUEUE_PROPERTIES, [](auto &q, InfoWriter &w) { return w.put<cl_command_queue_properties>(bitsOf(q)); }},
    // "If command_queue was created using clCreateCommandQueue, or if the properties argument ... was NULL, the
    // implementation must return param_value_size_ret equal to 0".
    {CL_QUEUE_PROPERTIES_ARRAY,
     [](auto &q, InfoWriter &w) { return w.template putArray<cl_queue_properties>(q.properties); }},
    // "CL_INVALID_COMMAND_QUEUE ... if command_queue is not a valid command-queue for param_name": for one on the host.
    {CL_QUEUE_SIZE,
     [](auto &q, InfoWriter &w) -> Expected<void> {
       if (!q.onDevice) return fail(ErrorCode::InvalidCommandQueue, "only on-device queues have a size");
       return w.put<cl_uint>(q.onDevice->size());
     }},
    // "Return the current default command queue for the underlying device."
    {CL_QUEUE_DEVICE_DEFAULT,
     [](auto &q, InfoWriter &w) { return w.put<cl_command_queue>(defaultDeviceQueue(*q.context, *q.device)); }},
};

} // namespace

// clGetCommandQueueInfo
Expected<void> getCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t size, void *value,
                                   size_t *sizeReturned) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue"
  US_TRY(ClQueue & queue, anyQueueFrom(handle));
  return icd::answer(kQueueInfo, queue, name, size, value, sizeReturned);
}

} // namespace us::opencl
