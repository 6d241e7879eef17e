// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetPlatformInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/extensions.h"
#include "icd/opencl/newer_cl.h"
#include "icd/opencl/platform.h"
#include "runtime/base/options.h"

#include <algorithm>

#ifndef US_VERSION
#define US_VERSION "0.1.0"
#endif

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

/// A type of handle, if "all devices in platform" take it: those that have the extension.
Expected<void> putHandleType(const ClPlatform &platform, InfoWriter &w, const char *extension, cl_uint type) {
  const bool isCommon = std::ranges::all_of(
      platform.devices, [&](const Ref<ClDevice> &device) { return hasExtension(*device, extension); });
  return w.putArray<cl_uint>(isCommon ? std::vector<cl_uint>{type} : std::vector<cl_uint>{});
}
Expected<void> putMemoryHandles(ClPlatform &platform, InfoWriter &w) {
  return putHandleType(platform, w, "cl_khr_external_memory_opaque_fd", CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
}
Expected<void> putSemaphoreHandles(ClPlatform &platform, InfoWriter &w) {
  return putHandleType(platform, w, "cl_khr_external_semaphore_opaque_fd", CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
}

constexpr InfoRow<ClPlatform> kPlatformInfo[] = {
    {CL_PLATFORM_PROFILE, [](auto &, InfoWriter &w) { return w.putString("FULL_PROFILE"); }},
    {CL_PLATFORM_VERSION, [](auto &, InfoWriter &w) { return w.putString(platformVersion()); }},
    {CL_PLATFORM_NUMERIC_VERSION,
     [](auto &, InfoWriter &w) { return w.put<cl_version>(versionOf(platformVersion())); }},
    {CL_PLATFORM_NAME, [](auto &, InfoWriter &w) { return w.putString("Understudy"); }},
    // Client programs take "ati", "amd", "intel", "apple" and others anywhere in this string for a vendor they know.
    {CL_PLATFORM_VENDOR, [](auto &, InfoWriter &w) { return w.putString("The Understudy project"); }},
    {CL_PLATFORM_EXTENSIONS, [](auto &, InfoWriter &w) { return w.putString(joinNames(platformExtensions())); }},
    {CL_PLATFORM_EXTENSIONS_WITH_VERSION,
     [](auto &, InfoWriter &w) { return w.putArray<cl_name_version>(nameVersions(platformExtensions())); }},
    {CL_PLATFORM_HOST_TIMER_RESOLUTION, [](auto &, InfoWriter &w) { return w.put<cl_ulong>(1); }},
    // Whichever devices have the extension: their commands wait for each other as commands of queues do, and all that a
    // command was recorded with is kept.
    {CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR,
     [](auto &, InfoWriter &w) {
       return w.put<cl_platform_command_buffer_capabilities_khr>(CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                                                                 CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                                                                 CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR);
     }},
    {CL_PLATFORM_SEMAPHORE_TYPES_KHR,
     [](auto &, InfoWriter &w) { return w.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR); }},
    {CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, putMemoryHandles},
    {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, putSemaphoreHandles},
    {CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, putSemaphoreHandles},
    {CL_PLATFORM_ICD_SUFFIX_KHR, [](auto &, InfoWriter &w) { return w.putString("US"); }},
};

} // namespace

const std::string &platformVersion() {
  // A client's parser wants the space after the numbers and something behind it.
  static const std::string &text = *new std::string("OpenCL " + options().openclVersion + " Understudy " US_VERSION);
  return text;
}

// clGetPlatformInfo
Expected<void> getPlatformInfo(cl_platform_id handle, cl_platform_info name, size_t size, void *value,
                               size_t *sizeReturned) {
  // "CL_INVALID_PLATFORM if platform is not a valid platform."
  US_TRY(ClPlatform & platform, fromHandle<ClPlatform>(handle));
  return icd::answer(kPlatformInfo, platform, name, size, value, sizeReturned);
}

} // namespace us::opencl
