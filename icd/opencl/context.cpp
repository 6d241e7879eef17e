// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about contexts.
#include "icd/opencl/context.h"

#include "icd/opencl/api.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/platform.h"

#include <algorithm>

namespace us::opencl {
namespace {

using ErrorFunction = void(CL_CALLBACK *)(const char *, const void *, size_t, void *);

/// Checks and copies the property list of a context; `hasPlatform` tells whether it names one.
Expected<std::vector<cl_context_properties>> propertiesFrom(const cl_context_properties *list) {
  std::vector<cl_context_properties> copy;
  if (!list) return copy;
  for (const cl_context_properties *next = list; *next; next += 2) {
    // "CL_INVALID_PROPERTY ... if the same property name is specified more than once."
    for (size_t i = 0; i < copy.size(); i += 2)
      if (copy[i] == *next)
        return fail(ErrorCode::InvalidProperty, icd::format("property {:#x} is given twice", *next));
    switch (*next) {
    case CL_CONTEXT_PLATFORM:
      // "CL_INVALID_PLATFORM ... if platform value specified in properties is not a valid platform."
      US_CHECK(fromHandle<ClPlatform>(reinterpret_cast<cl_platform_id>(next[1])));
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      // "CL_INVALID_PROPERTY if ... the value specified for a supported property name is not valid"
      if (next[1] != CL_TRUE && next[1] != CL_FALSE)
        return fail(ErrorCode::InvalidProperty, "CL_CONTEXT_INTEROP_USER_SYNC is neither CL_TRUE nor CL_FALSE");
      break;
    default:
      // "CL_INVALID_PROPERTY if context property name in properties is not a supported property name"
      return fail(ErrorCode::InvalidProperty, icd::format("there is no context property {:#x}", *next));
    }
    copy.insert(copy.end(), next, next + 2);
  }
  copy.push_back(0);
  return copy;
}

Expected<cl_context> makeContext(std::vector<cl_context_properties> properties, std::vector<Ref<ClDevice>> devices,
                                 ErrorFunction onError, void *userData) {
  // "CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL."
  if (!onError && userData) return fail(ErrorCode::InvalidValue, "user data without a callback");
  // "CL_DEVICE_NOT_AVAILABLE if a device in devices is currently not available even though the device was returned by
  // clGetDeviceIDs."
  for (const Ref<ClDevice> &device : devices)
    if (!device->info().available)
      return fail(ErrorCode::DeviceNotAvailable, device->info().name + " is not available");
  US_TRY(Ref<ClContext> context, makeObject<ClContext>());
  core::Context::ErrorCallback tell;
  if (onError) tell = [=](const Error &error) { onError(error.message.c_str(), nullptr, 0, userData); };
  // "private_info and cb represent a pointer to binary data that is returned by the OpenCL implementation that can be
  // used to log additional information helpful in debugging the error."
  core::Context::FindingCallback tellFinding;
  if (onError)
    tellFinding = [=](const std::string &sentence, const std::string &json) {
      onError(sentence.c_str(), json.c_str(), json.size(), userData);
    };
  context->core = core::Context::create(coreDevices(devices), std::move(tell), std::move(tellFinding));
  context->devices = std::move(devices);
  context->properties = std::move(properties);
  context->hasErrorCallback_ = onError != nullptr;
  return giveToApplication(std::move(context));
}

} // namespace

bool ClContext::has(const ClDevice &device) const {
  return std::ranges::any_of(devices, [&](const auto &known) { return known.get() == &device; });
}

ExpectedRef<ClContext> contextFrom(cl_context handle) {
  auto context = fromHandle<ClContext>(handle);
  if (context) noteContext(*context);
  return context;
}

Expected<std::vector<Ref<ClDevice>>> devicesAmong(const std::vector<Ref<ClDevice>> &known, cl_uint count,
                                                  const cl_device_id *list, const char *owner) {
  // "CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if device_list is not NULL and
  // num_devices is zero."
  if (!list != (count == 0))
    return fail(ErrorCode::InvalidValue, icd::format("{} devices at {}", count, static_cast<const void *>(list)));
  if (!list) return known;
  US_TRY(std::vector<Ref<ClDevice>> devices, devicesFrom(count, list));
  // "CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with ..."
  for (const Ref<ClDevice> &device : devices)
    if (std::ranges::find(known, device) == known.end())
      return fail(ErrorCode::InvalidDevice, icd::format("{} does not belong to the {}", device->info().name, owner));
  return devices;
}

std::vector<Ref<Device>> coreDevices(const std::vector<Ref<ClDevice>> &devices) {
  std::vector<Ref<Device>> result;
  result.reserve(devices.size());
  for (const Ref<ClDevice> &device : devices) result.push_back(device->device);
  return result;
}

// clCreateContext
Expected<cl_context> createContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *list,
                                   ErrorFunction onError, void *userData) {
  US_TRY(std::vector<cl_context_properties> copy, propertiesFrom(properties));
  // "CL_INVALID_VALUE if devices is NULL." "CL_INVALID_VALUE if num_devices is equal to zero."
  // "CL_INVALID_DEVICE if any device in devices is not a valid device."
  US_TRY(std::vector<Ref<ClDevice>> devices, devicesFrom(count, list));
  return makeContext(std::move(copy), std::move(devices), onError, userData);
}

// clCreateContextFromType
Expected<cl_context> createContextFromType(const cl_context_properties *properties, cl_device_type type,
                                           ErrorFunction onError, void *userData) {
  US_TRY(std::vector<cl_context_properties> copy, propertiesFrom(properties));
  US_TRY(ClPlatform & platform, thePlatform());
  // "CL_INVALID_DEVICE_TYPE if device_type is not a valid value." "CL_DEVICE_NOT_FOUND if no devices that match
  // device_type ... were found."
  cl_uint count = 0;
  US_CHECK(getDeviceIDs(platform.handle(), type, 0, nullptr, &count));
  std::vector<cl_device_id> handles(count);
  US_CHECK(getDeviceIDs(platform.handle(), type, count, handles.data(), nullptr));
  US_TRY(std::vector<Ref<ClDevice>> devices, devicesFrom(count, handles.data()));
  return makeContext(std::move(copy), std::move(devices), onError, userData);
}

// clRetainContext
Expected<void> retainContext(cl_context context) { return retainHandle<ClContext>(context); }

// clReleaseContext
Expected<void> releaseContext(cl_context context) { return releaseHandle<ClContext>(context); }

// clSetContextDestructorCallback
Expected<void> setContextDestructorCallback(cl_context handle, void(CL_CALLBACK *callback)(cl_context, void *),
                                            void *userData) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_VALUE if pfn_notify is NULL."
  if (!callback) return fail(ErrorCode::InvalidValue, "the callback is NULL");
  context.core->addDestructorCallback([=] {
    if (CommandChecks *const checks = commandChecks()) checks->hostMayKnowAll();
    callback(handle, userData);
  });
  return {};
}

} // namespace us::opencl
