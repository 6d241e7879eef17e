// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about the platform.
#include "icd/opencl/platform.h"

#include "icd/common/runtime_life.h"
#include "icd/opencl/dispatch.h"
#include "icd/opencl/entry_points.h"
#include "icd/platform/compose.h"

#include <mutex>

namespace us::opencl {
namespace {

Expected<Ref<ClPlatform>> makePlatform() {
  icd::watchRuntimeLife();
  US_TRY(Ref<ClPlatform> platform, makeObject<ClPlatform>());
  HostFindings *findings = nullptr; // the emulated devices of a process have one
  for (const Ref<Device> &device : platform::devices()) {
    if (!findings) findings = device->hostFindings();
    US_TRY(Ref<ClDevice> handle, makeObject<ClDevice>(device));
    handle->slot()->applicationCount = 1;
    platform->devices.push_back(std::move(handle));
  }
  if (findings) ApiChecks::begin(*findings);
  return platform;
}

} // namespace

ExpectedRef<ClPlatform> thePlatform() {
  // Never destroyed. A failure is tried again at the next call.
  static std::mutex &mutex = *new std::mutex;
  static constinit std::atomic<ClPlatform *> made{nullptr}; // written under mutex
  if (ClPlatform *platform = made.load(std::memory_order_acquire)) return *platform;
  std::lock_guard lock(mutex);
  if (ClPlatform *platform = made.load(std::memory_order_relaxed)) return *platform;
  US_TRY(Ref<ClPlatform> platform, makePlatform());
  made.store(platform.get(), std::memory_order_release);
  return *platform.detach();
}

// clGetPlatformIDs
Expected<void> getPlatformIDs(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  // "CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL or if both num_platforms and platforms
  // are NULL."
  if ((entries == 0 && platforms) || (!count && !platforms))
    return fail(ErrorCode::InvalidValue, "clGetPlatformIDs was given nowhere to put its answer");
  US_TRY(ClPlatform & platform, thePlatform());
  returnHandles<cl_platform_id>({platform.handle()}, entries, platforms, count);
  return {};
}

// clIcdGetPlatformIDsKHR
Expected<void> icdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  return getPlatformIDs(entries, platforms, count);
}

// clGetExtensionFunctionAddress
Expected<void *> getExtensionFunctionAddress(const char *name) {
  // "A return value of NULL indicates that the specified function does not exist for the implementation"
  return name ? functionByName(name) : nullptr;
}

// clGetExtensionFunctionAddressForPlatform
Expected<void *> getExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  // "... or platform is not a valid platform."
  US_CHECK(fromHandle<ClPlatform>(platform));
  return getExtensionFunctionAddress(name);
}

// clUnloadPlatformCompiler
Expected<void> unloadPlatformCompiler(cl_platform_id handle) {
  // "CL_INVALID_PLATFORM if platform is not a valid platform."
  US_TRY(ClPlatform & platform, fromHandle<ClPlatform>(handle));
  for (const Ref<ClDevice> &device : platform.devices) device->device->unloadCompiler();
  return {};
}

// clUnloadCompiler
Expected<void> unloadCompiler() {
  // "Calls to clBuildProgram after clUnloadCompiler will reload the compiler, if necessary": the device does.
  US_TRY(ClPlatform & platform, thePlatform());
  return unloadPlatformCompiler(platform.handle());
}

} // namespace us::opencl
