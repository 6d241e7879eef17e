// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about command-queues.
#include "icd/opencl/queue.h"

#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>

namespace us::opencl {
namespace {

constexpr cl_command_queue_properties kHostBits = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceBits = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/// Checks the bits of a queue's properties against the API and the device.
Expected<core::QueueProperties> queuePropertiesFrom(const ClDevice &device, cl_command_queue_properties bits) {
  // "CL_INVALID_VALUE if values specified in properties are not valid."
  if (bits & ~(kHostBits | kDeviceBits))
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that are no queue property", bits));
  // "CL_QUEUE_ON_DEVICE_DEFAULT ... must be used with CL_QUEUE_ON_DEVICE"; "CL_QUEUE_ON_DEVICE ... must also be set
  // with CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE"
  if ((bits & CL_QUEUE_ON_DEVICE_DEFAULT) && !(bits & CL_QUEUE_ON_DEVICE))
    return fail(ErrorCode::InvalidValue, "CL_QUEUE_ON_DEVICE_DEFAULT without CL_QUEUE_ON_DEVICE");
  if ((bits & CL_QUEUE_ON_DEVICE) && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    return fail(ErrorCode::InvalidValue, "CL_QUEUE_ON_DEVICE without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE");
  // "CL_INVALID_QUEUE_PROPERTIES if values specified in properties are valid but are not supported by the device."
  if ((bits & kDeviceBits) && device.info().maxDeviceQueues == 0)
    return fail(ErrorCode::InvalidQueueProperties, "the device has no on-device queues");
  core::QueueProperties properties;
  properties.outOfOrder = bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  properties.profiling = bits & CL_QUEUE_PROFILING_ENABLE;
  if (properties.outOfOrder && !(bits & CL_QUEUE_ON_DEVICE) && !device.info().outOfOrderQueues)
    return fail(ErrorCode::InvalidQueueProperties, "the device has no out-of-order queues");
  return properties;
}

/// Hints have no effect: the device runs what it is given as fast as it can.
struct Hint {
  cl_queue_properties name;
  const char *extension;
};
constexpr Hint kHints[] = {
    {CL_QUEUE_PRIORITY_KHR, "cl_khr_priority_hints"}, // HIGH, MED and LOW are the bits 1, 2 and 4
    {CL_QUEUE_THROTTLE_KHR, "cl_khr_throttle_hints"}, // so are these
};
static_assert(CL_QUEUE_PRIORITY_HIGH_KHR == 1 && CL_QUEUE_PRIORITY_MED_KHR == 2 && CL_QUEUE_PRIORITY_LOW_KHR == 4);
static_assert(CL_QUEUE_THROTTLE_HIGH_KHR == 1 && CL_QUEUE_THROTTLE_MED_KHR == 2 && CL_QUEUE_THROTTLE_LOW_KHR == 4);

/// True for a hint with one of its values, of an extension that the device has.
bool isHint(const ClDevice &device, cl_queue_properties name, cl_queue_properties value) {
  const bool valid = value == 1 || value == 2 || value == 4;
  return valid && std::ranges::any_of(kHints, [&](const Hint &hint) {
           return hint.name == name &&
                  std::ranges::any_of(device.info().extensions,
                                      [&](const NamedVersion &extension) { return extension.name == hint.extension; });
         });
}

/// A queue on the device of `size` bytes, 0: as large as the device likes best.
Expected<void> makeOnDevice(ClQueue &queue, ClContext &context, ClDevice &device, bool profiling, cl_ulong size) {
  const DeviceInfo &info = device.info();
  if (size == 0) size = info.deviceQueuePreferredSize;
  US_TRY(queue.onDevice,
         core::OnDeviceQueue::create(*context.core, *device.device, static_cast<uint32_t>(size), profiling));
  queue.onDevice->apiObject = &queue;
  return {};
}

Expected<cl_command_queue> makeQueue(cl_context contextHandle, cl_device_id deviceHandle,
                                     cl_command_queue_properties bits, std::vector<cl_queue_properties> asGiven,
                                     cl_ulong size = 0) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(contextHandle));
  // "CL_INVALID_DEVICE if device is not a valid device or is not associated with context."
  US_TRY(ClDevice & device, fromHandle<ClDevice>(deviceHandle));
  if (!context.has(device)) return fail(ErrorCode::InvalidDevice, device.info().name + " is not in the context");
  US_TRY(core::QueueProperties properties, queuePropertiesFrom(device, bits));
  // "... only one default device queue per device and context": creating another "will return the default device queue
  // that has already been created and increment its retain count by 1".
  if (bits & CL_QUEUE_ON_DEVICE_DEFAULT)
    if (cl_command_queue present = defaultDeviceQueue(context, device); present && retainHandle<ClQueue>(present))
      return present;
  US_TRY(Ref<ClQueue> queue, makeObject<ClQueue>());
  if (bits & CL_QUEUE_ON_DEVICE) {
    US_CHECK(makeOnDevice(*queue, context, device, properties.profiling, size));
  } else {
    queue->core = core::Queue::create(*context.core, *device.device, properties);
  }
  queue->context = Ref<ClContext>(&context);
  queue->device = Ref<ClDevice>(&device);
  queue->properties = std::move(asGiven);
  if (CommandChecks *const checks = commandChecks(); checks && queue->core) checks->made(*queue);
  if (bits & CL_QUEUE_ON_DEVICE_DEFAULT) queue->onDevice->makeDefault();
  return giveToApplication(std::move(queue));
}

} // namespace

ExpectedRef<ClQueue> anyQueueFrom(cl_command_queue handle) {
  auto queue = fromHandle<ClQueue>(handle);
  if (queue) noteContext(*queue->get().context);
  return queue;
}

ExpectedRef<ClQueue> queueFrom(cl_command_queue handle) {
  US_TRY(ClQueue & queue, anyQueueFrom(handle));
  if (queue.onDevice)
    return fail(ErrorCode::InvalidCommandQueue, "the queue is on the device: only kernels enqueue there");
  return queue;
}

ExpectedRef<ClQueue> deviceQueueFrom(cl_command_queue handle) {
  US_TRY(ClQueue & queue, anyQueueFrom(handle));
  if (!queue.onDevice) return fail(ErrorCode::InvalidCommandQueue, "the queue is not on the device");
  return queue;
}

cl_command_queue defaultDeviceQueue(const ClContext &context, const ClDevice &device) {
  const Ref<core::OnDeviceQueue> queue = core::OnDeviceQueue::defaultOf(*context.core, *device.device);
  auto *object = queue ? static_cast<ClQueue *>(queue->apiObject.load()) : nullptr;
  return object ? object->handle() : nullptr;
}

// clCreateCommandQueue
Expected<cl_command_queue> createCommandQueue(cl_context context, cl_device_id device,
                                              cl_command_queue_properties properties) {
  // On-device queues can only be asked for by clCreateCommandQueueWithProperties.
  if (properties & kDeviceBits) return fail(ErrorCode::InvalidValue, "clCreateCommandQueue makes host queues only");
  return makeQueue(context, device, properties, {});
}

// clCreateCommandQueueWithProperties
Expected<cl_command_queue> createCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                            const cl_queue_properties *properties) {
  US_CHECK(contextFrom(context));
  // "CL_INVALID_DEVICE if device is not a valid device".
  US_TRY(const ClDevice &asked, fromHandle<ClDevice>(device));
  std::vector<cl_queue_properties> copy;
  cl_command_queue_properties bits = 0;
  bool sized = false, hinted = false;
  cl_ulong queueSize = 0;
  for (const cl_queue_properties *next = properties; next && *next; next += 2) {
    if (*next == CL_QUEUE_PROPERTIES)
      bits = next[1];
    else if (*next == CL_QUEUE_SIZE)
      sized = true, queueSize = next[1];
    else if (isHint(asked, *next, next[1]))
      hinted = true;
    else // "CL_INVALID_VALUE if values specified in properties are not valid."
      return fail(ErrorCode::InvalidValue,
                  icd::format("there is no queue property {:#x} with value {:#x}", *next, next[1]));
    copy.insert(copy.end(), next, next + 2);
  }
  if (properties) copy.push_back(0);
  // CL_QUEUE_SIZE: "This can only be specified if CL_QUEUE_ON_DEVICE is set in CL_QUEUE_PROPERTIES."
  if (sized && !(bits & CL_QUEUE_ON_DEVICE))
    return fail(ErrorCode::InvalidValue, "CL_QUEUE_SIZE without CL_QUEUE_ON_DEVICE");
  // "This must be a value <= CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE."
  if (sized && asked.info().maxDeviceQueues && (queueSize == 0 || queueSize > asked.info().deviceQueueMaxSize))
    return fail(ErrorCode::InvalidValue, icd::format("a queue of {} bytes, {} has at most {}", queueSize,
                                                     asked.info().name, asked.info().deviceQueueMaxSize));
  // "CL_INVALID_QUEUE_PROPERTIES ... if CL_QUEUE_PRIORITY_KHR or CL_QUEUE_THROTTLE_KHR is specified for an on-device
  // queue."
  if (hinted && (bits & CL_QUEUE_ON_DEVICE))
    return fail(ErrorCode::InvalidQueueProperties, "a hint for an on-device queue");
  return makeQueue(context, device, bits, std::move(copy), queueSize);
}

// clCreateCommandQueueWithPropertiesKHR
Expected<cl_command_queue> createCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                                               const cl_queue_properties_khr *properties) {
  return createCommandQueueWithProperties(context, device, properties);
}

// clRetainCommandQueue
Expected<void> retainCommandQueue(cl_command_queue queue) { return retainHandle<ClQueue>(queue); }

// clReleaseCommandQueue
Expected<void> releaseCommandQueue(cl_command_queue queue) { return releaseHandle<ClQueue>(queue); }

// clSetCommandQueueProperty
Expected<void> setCommandQueueProperty(cl_command_queue handle, cl_command_queue_properties bits, cl_bool enable,
                                       cl_command_queue_properties *old) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue."
  US_TRY(ClQueue & queue, queueFrom(handle));
  // "CL_INVALID_VALUE if values specified in properties are not valid."
  if (bits & kDeviceBits) return fail(ErrorCode::InvalidValue, "a host queue cannot become an on-device queue");
  US_TRY(core::QueueProperties asked, queuePropertiesFrom(*queue.device, bits));
  core::QueueProperties properties = queue.core->properties();
  if (old)
    *old = (properties.outOfOrder ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
           (properties.profiling ? CL_QUEUE_PROFILING_ENABLE : 0);
  if (asked.outOfOrder) properties.outOfOrder = enable;
  if (asked.profiling) properties.profiling = enable;
  US_CHECK(queue.core->setProperties(properties));
  if (CommandChecks *const checks = commandChecks()) checks->hostWaitedFor(queue); // for all commands before
  return {};
}

// clSetDefaultDeviceCommandQueue
Expected<void> setDefaultDeviceCommandQueue(cl_context contextHandle, cl_device_id deviceHandle,
                                            cl_command_queue handle) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(contextHandle));
  // "CL_INVALID_DEVICE if device is not a valid device or is not associated with context."
  US_TRY(ClDevice & device, fromHandle<ClDevice>(deviceHandle));
  if (!context.has(device)) return fail(ErrorCode::InvalidDevice, device.info().name + " is not in the context");
  // "CL_INVALID_OPERATION if device does not support a replaceable default on-device queue."
  if (device.info().maxDeviceQueues == 0)
    return fail(ErrorCode::InvalidOperation, "the device has no on-device queues");
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for device."
  US_TRY(ClQueue & queue, deviceQueueFrom(handle));
  if (queue.context.get() != &context || queue.device.get() != &device)
    return fail(ErrorCode::InvalidCommandQueue, "the queue is of another context or device");
  queue.onDevice->makeDefault();
  return {};
}

// clFlush
Expected<void> flush(cl_command_queue handle) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
  US_TRY(ClQueue & queue, queueFrom(handle));
  if (CommandChecks *const checks = commandChecks()) checks->flushed(queue);
  return queue.core->flush();
}

// clFinish
Expected<void> finish(cl_command_queue handle) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
  US_TRY(ClQueue & queue, queueFrom(handle));
  US_CHECK(queue.core->finish());
  if (CommandChecks *const checks = commandChecks()) checks->hostWaitedFor(queue);
  return {};
}

} // namespace us::opencl
