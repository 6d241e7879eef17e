// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three symbols that the ICD exports (icd/install/understudy-icd.map); everything else is reached through them.
#include "icd/opencl/cl.h"
#include "icd/opencl/dispatch.h"

#define US_EXPORT extern "C" __attribute__((visibility("default")))

US_EXPORT void *clGetExtensionFunctionAddress(const char *name) {
  return us::opencl::dispatchTable().clGetExtensionFunctionAddress(name);
}

US_EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                   size_t *sizeReturned) {
  return us::opencl::dispatchTable().clGetPlatformInfo(platform, name, size, value, sizeReturned);
}

US_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  static const auto call =
      reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(us::opencl::functionByName("clIcdGetPlatformIDsKHR"));
  return call(entries, platforms, count);
}
