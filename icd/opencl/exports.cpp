// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three symbols that the ICD exports (icd/install/understudy-icd.map); everything else is reached through them.
#include "icd/opencl/cl.h"
#include "icd/opencl/dispatch.h"
#include "icd/opencl/pass_through.h"

#include <string_view>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

US_EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                   size_t *sizeReturned) {
  if (us::opencl::passesThrough()) return us::opencl::passedPlatformInfo(platform, name, size, value, sizeReturned);
  return us::opencl::dispatchTable().clGetPlatformInfo(platform, name, size, value, sizeReturned);
}

US_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  if (us::opencl::passesThrough()) return us::opencl::passedPlatformIds(entries, platforms, count);
  static const auto call =
      reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(us::opencl::functionByName("clIcdGetPlatformIDsKHR"));
  return call(entries, platforms, count);
}

US_EXPORT void *clGetExtensionFunctionAddress(const char *name) {
  if (!us::opencl::passesThrough()) return us::opencl::dispatchTable().clGetExtensionFunctionAddress(name);
  // The loader asks for these, to call them with what clIcdGetPlatformIDsKHR has given it.
  const std::string_view asked = name ? name : "";
  if (asked == "clIcdGetPlatformIDsKHR") return reinterpret_cast<void *>(&clIcdGetPlatformIDsKHR);
  if (asked == "clGetPlatformInfo") return reinterpret_cast<void *>(&clGetPlatformInfo);
  return name ? us::opencl::passedFunction(name) : nullptr;
}
