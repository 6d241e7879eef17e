// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_semaphore: binary semaphores between the queues of a context; cl_khr_external_semaphore_opaque_fd: and between
// those of processes.
#include "icd/opencl/semaphore.h"

#include "icd/common/info_table.h"
#include "icd/opencl/api.h"
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>
#include <optional>
#include <span>

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

/// The device of a list that begins at `list`; `list` is behind the list's end afterwards.
Expected<Ref<ClDevice>> deviceFrom(const ClContext &context, const cl_semaphore_properties_khr *&list) {
  // "CL_INVALID_DEVICE if CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is specified as part of sema_props, but it does not
  // identify exactly one valid device; or if a device identified by [it] is not one of the devices within context."
  size_t count = 0;
  while (list[count] != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR) ++count;
  if (count != 1) return fail(ErrorCode::InvalidDevice, icd::format("{} devices of a semaphore, it has one", count));
  US_TRY(ClDevice & device, fromHandle<ClDevice>(reinterpret_cast<cl_device_id>(list[0])));
  if (std::ranges::find(context.devices, &device, &Ref<ClDevice>::get) == context.devices.end())
    return fail(ErrorCode::InvalidDevice, "the semaphore's device is not one of the context's");
  list += count + 1;
  return Ref<ClDevice>(&device);
}

constexpr const char *kOpaqueFd = "cl_khr_external_semaphore_opaque_fd";

/// The list of CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR; `list` is behind its end afterwards.
Expected<void> readExportTypes(const cl_semaphore_properties_khr *&list) {
  size_t count = 0;
  for (; *list != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR; ++list, ++count)
    if (*list != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
      return fail(ErrorCode::InvalidProperty, icd::format("{:#x} is no type of semaphore handles", *list));
  ++list;
  // "CL_INVALID_VALUE if more than one semaphore handle type is specified in the CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
  // list."
  if (count > 1) return fail(ErrorCode::InvalidValue, icd::format("{} types of handles to export", count));
  return {};
}

/// `descriptor` receives what the semaphore is imported from.
Expected<void> readProperties(const cl_semaphore_properties_khr *list, ClSemaphore &into,
                              std::optional<int> &descriptor) {
  const ClContext &context = *into.context;
  const bool hasExternal =
      std::ranges::any_of(context.devices, [](const auto &device) { return hasExtension(*device, kOpaqueFd); });
  bool hasType = false;
  const cl_semaphore_properties_khr *next = list;
  while (*next) {
    const cl_semaphore_properties_khr name = *next++;
    if (name == CL_SEMAPHORE_TYPE_KHR && !hasType) {
      // "CL_INVALID_PROPERTY ... if the value specified for a supported property name is not valid"
      if (*next != CL_SEMAPHORE_TYPE_BINARY_KHR)
        return fail(ErrorCode::InvalidProperty, icd::format("there is no type {} of semaphores", *next));
      hasType = true;
      ++next;
    } else if (name == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR && into.devices.empty()) {
      US_TRY(Ref<ClDevice> device, deviceFrom(context, next));
      into.devices.push_back(std::move(device));
    } else if (name == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR && hasExternal && !into.isExportable) {
      const bool isAny = *next != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR;
      US_CHECK(readExportTypes(next));
      into.isExportable = isAny;
    } else if (name == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR && hasExternal && !descriptor) {
      // "CL_INVALID_PROPERTY if sema_props includes more than one external semaphore handle."
      descriptor = static_cast<int>(*next++);
    } else {
      // "CL_INVALID_PROPERTY if a property name in sema_props is not a supported property name, ... or if the same
      // property name is specified more than once."
      return fail(ErrorCode::InvalidProperty, icd::format("{:#x} is no property of a semaphore, or named twice", name));
    }
  }
  // "CL_INVALID_VALUE if sema_props do not specify <property, value> pairs for minimum set of properties (i.e.
  // CL_SEMAPHORE_TYPE_KHR)"
  if (!hasType) return fail(ErrorCode::InvalidValue, "the semaphore's type is not given");
  // "CL_INVALID_PROPERTY ... if context is a multiple device context and sema_props does not specify
  // CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR."
  if (into.devices.empty() && context.devices.size() > 1)
    return fail(ErrorCode::InvalidProperty,
                icd::format("the context has {} devices, and the semaphore's is not named", context.devices.size()));
  if (into.devices.empty()) into.devices = context.devices;
  // "CL_INVALID_OPERATION If props_list specifies a cl_external_semaphore_handle_type_khr followed by a handle as well
  // as CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR."
  if (descriptor && into.isExportable)
    return fail(ErrorCode::InvalidOperation, "what is imported as a semaphore cannot be exported again");
  // "CL_INVALID_DEVICE if one or more devices identified by properties CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR cannot
  // import the requested external semaphore handle type."
  for (const Ref<ClDevice> &device : into.devices)
    if ((descriptor || into.isExportable) && !hasExtension(*device, kOpaqueFd))
      return fail(ErrorCode::InvalidDevice, device->info().name + " shares no semaphores");
  into.properties.assign(list, next + 1);
  return {};
}

/// What both commands check, in the order of the specification's list.
Expected<std::vector<Ref<ClSemaphore>>> semaphoresFrom(const ClQueue &queue, cl_uint count,
                                                       const cl_semaphore_khr *handles, const EventParameters &events) {
  // "CL_INVALID_VALUE if num_sema_objects is 0."
  if (count == 0 || !handles)
    return fail(ErrorCode::InvalidValue, icd::format("{} semaphores at {}", count, static_cast<const void *>(handles)));
  std::vector<Ref<ClSemaphore>> semaphores;
  for (cl_semaphore_khr handle : std::span(handles, count)) {
    // "CL_INVALID_SEMAPHORE_KHR if any of the semaphore objects specified by sema_objects is not valid."
    US_TRY(ClSemaphore & semaphore, fromHandle<ClSemaphore>(handle));
    // "CL_INVALID_CONTEXT if the context associated with command_queue and any of the semaphore objects in sema_objects
    // are not the same"
    if (semaphore.context != queue.context)
      return fail(ErrorCode::InvalidContext, "the semaphore is of another context");
    // "CL_INVALID_COMMAND_QUEUE if the device associated with command_queue is not same as one of the devices specified
    // by CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR at the time of creating one or more of sema_objects"
    if (std::ranges::find(semaphore.devices, queue.device) == semaphore.devices.end())
      return fail(ErrorCode::InvalidCommandQueue, "the semaphore was made for another device than the queue's");
    semaphores.push_back(Ref<ClSemaphore>(&semaphore));
  }
  // "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in event_wait_list is a
  // negative integer value."
  for (cl_event handle : std::span(events.list, events.count)) {
    US_TRY(ClEvent & event, fromHandle<ClEvent>(handle));
    if (event.core()->peekStatus().failed())
      return fail(ErrorCode::ExecStatusErrorInWaitList, "a command that is waited for has failed");
  }
  return semaphores;
}

constexpr InfoRow<ClSemaphore> kSemaphoreInfo[] = {
    {CL_SEMAPHORE_CONTEXT_KHR, [](auto &s, InfoWriter &w) { return w.put<cl_context>(s.context->handle()); }},
    {CL_SEMAPHORE_REFERENCE_COUNT_KHR, [](auto &s, InfoWriter &w) { return w.put<cl_uint>(s.applicationCount()); }},
    {CL_SEMAPHORE_PROPERTIES_KHR,
     [](auto &s, InfoWriter &w) { return w.template putArray<cl_semaphore_properties_khr>(s.properties); }},
    {CL_SEMAPHORE_TYPE_KHR,
     [](auto &, InfoWriter &w) { return w.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR); }},
    {CL_SEMAPHORE_PAYLOAD_KHR,
     [](auto &s, InfoWriter &w) { return w.put<cl_semaphore_payload_khr>(s.core->isSignalled()); }},
    {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
     [](auto &s, InfoWriter &w) {
       std::vector<cl_device_id> handles;
       for (const Ref<ClDevice> &device : s.devices) handles.push_back(device->handle());
       return w.template putArray<cl_device_id>(handles);
     }},
    {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
     [](auto &s, InfoWriter &w) {
       std::vector<cl_external_semaphore_handle_type_khr> types;
       if (s.isExportable) types.push_back(CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
       return w.template putArray<cl_external_semaphore_handle_type_khr>(types);
     }},
    {CL_SEMAPHORE_EXPORTABLE_KHR, [](auto &s, InfoWriter &w) { return w.put<cl_bool>(s.isExportable); }},
};

} // namespace

// clCreateSemaphoreWithPropertiesKHR
Expected<cl_semaphore_khr> createSemaphoreWithPropertiesKHR(cl_context handle,
                                                            const cl_semaphore_properties_khr *list) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_VALUE if sema_props is NULL"
  if (!list) return fail(ErrorCode::InvalidValue, "the semaphore's properties are NULL");
  US_TRY(Ref<ClSemaphore> semaphore, makeObject<ClSemaphore>());
  semaphore->context = Ref<ClContext>(&context);
  std::optional<int> descriptor;
  US_CHECK(readProperties(list, *semaphore, descriptor));
  // "CL_INVALID_PROPERTY ... if the value specified for a supported property name is not valid"
  if (descriptor && *descriptor < 0)
    return fail(ErrorCode::InvalidProperty, icd::format("{} is no file descriptor", *descriptor));
  for (const Ref<ClDevice> &device : semaphore->devices)
    if (!hasExtension(*device, "cl_khr_semaphore"))
      return fail(ErrorCode::InvalidOperation, device->info().name + " has no semaphores");
  if (descriptor || semaphore->isExportable) {
    US_TRY(semaphore->core, core::Semaphore::createShared(*context.core, descriptor.value_or(-1)));
  } else {
    semaphore->core = core::Semaphore::create(*context.core);
  }
  return giveToApplication(std::move(semaphore));
}

// clEnqueueWaitSemaphoresKHR
Expected<void> enqueueWaitSemaphoresKHR(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *handles,
                                        const cl_semaphore_payload_khr *, cl_uint eventCount, const cl_event *list,
                                        cl_event *event) {
  const EventParameters events{eventCount, list, event};
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, events));
  US_TRY(std::vector<Ref<ClSemaphore>> semaphores, semaphoresFrom(command.queue(), count, handles, events));
  std::vector<Ref<core::Event>> taken;
  for (const Ref<ClSemaphore> &semaphore : semaphores) {
    taken.push_back(semaphore->core->take());
    command.waitFor(taken.back());
  }
  Expected<void> enqueued = command.enqueue();
  if (!enqueued)
    for (size_t i = 0; i < taken.size(); ++i) semaphores[i]->core->giveBack(std::move(taken[i]));
  return enqueued;
}

// clEnqueueSignalSemaphoresKHR
Expected<void> enqueueSignalSemaphoresKHR(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *handles,
                                          const cl_semaphore_payload_khr *, cl_uint eventCount, const cl_event *list,
                                          cl_event *event) {
  const EventParameters events{eventCount, list, event};
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, events));
  US_TRY(std::vector<Ref<ClSemaphore>> semaphores, semaphoresFrom(command.queue(), count, handles, events));
  US_TRY(Ref<core::Event> signalled, command.enqueueForEvent());
  bool isShared = false;
  for (const Ref<ClSemaphore> &semaphore : semaphores) {
    semaphore->core->signal(signalled);
    isShared |= semaphore->core->isShared();
  }
  // Who waits elsewhere cannot ask for the signal.
  if (isShared) return command.queue().core->flush();
  return {};
}

// clGetSemaphoreInfoKHR
Expected<void> getSemaphoreInfoKHR(cl_semaphore_khr handle, cl_semaphore_info_khr name, size_t size, void *value,
                                   size_t *sizeReturned) {
  // "CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore."
  US_TRY(ClSemaphore & semaphore, fromHandle<ClSemaphore>(handle));
  return icd::answer(kSemaphoreInfo, semaphore, name, size, value, sizeReturned);
}

// clGetSemaphoreHandleForTypeKHR
Expected<void> getSemaphoreHandleForTypeKHR(cl_semaphore_khr handle, cl_device_id deviceHandle,
                                            cl_external_semaphore_handle_type_khr type, size_t size, void *value,
                                            size_t *sizeReturned) {
  // "CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore."
  US_TRY(ClSemaphore & semaphore, fromHandle<ClSemaphore>(handle));
  // "CL_INVALID_DEVICE if device is not a valid device, or if sema_object belongs to a context that is not associated
  // with device"
  US_TRY(ClDevice & device, fromHandle<ClDevice>(deviceHandle));
  if (std::ranges::find(semaphore.context->devices, &device, &Ref<ClDevice>::get) == semaphore.context->devices.end())
    return fail(ErrorCode::InvalidDevice, "the device is not one of the semaphore's context");
  // "... or if sema_object can not be shared with device."
  if (std::ranges::find(semaphore.devices, &device, &Ref<ClDevice>::get) == semaphore.devices.end())
    return fail(ErrorCode::InvalidDevice, "the semaphore was made for another device");
  // "CL_INVALID_VALUE if the requested external semaphore handle type was not specified when sema_object was created."
  if (!semaphore.isExportable || type != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
    return fail(ErrorCode::InvalidValue, icd::format("the semaphore was not made to be exported as {:#x}", type));
  // "CL_INVALID_VALUE if the size in bytes specified by handle_size is less than size of the requested handle and
  // handle_ptr is not NULL."
  if (value && size < sizeof(int))
    return fail(ErrorCode::InvalidValue, icd::format("{} bytes for a descriptor of {}", size, sizeof(int)));
  if (value) {
    US_TRY(const int descriptor, semaphore.core->exportDescriptor());
    *static_cast<int *>(value) = descriptor;
  }
  if (sizeReturned) *sizeReturned = sizeof(int);
  return {};
}

// clRetainSemaphoreKHR
Expected<void> retainSemaphoreKHR(cl_semaphore_khr handle) { return retainHandle<ClSemaphore>(handle); }

// clReleaseSemaphoreKHR
Expected<void> releaseSemaphoreKHR(cl_semaphore_khr handle) { return releaseHandle<ClSemaphore>(handle); }

} // namespace us::opencl
