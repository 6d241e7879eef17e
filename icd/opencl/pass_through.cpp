// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/pass_through.h"

#include "icd/platform/compose.h"
#include "runtime/base/options.h"

#include <algorithm>
#include <vector>

namespace us::opencl {
namespace {

const std::vector<cl_platform_id> &passedPlatforms() {
  static const auto &all = *[] {
    auto *const platforms = new std::vector<cl_platform_id>;
    for (const platform::PassedDriver &driver : platform::passedDrivers())
      for (void *const one : driver.platforms) platforms->push_back(static_cast<cl_platform_id>(one));
    return platforms;
  }();
  return all;
}

} // namespace

bool passesThrough() { return options().passThrough; }

cl_int passedPlatformIds(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  // "CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL or if both num_platforms and platforms
  // are NULL."
  if ((entries == 0 && platforms) || (!count && !platforms)) return CL_INVALID_VALUE;
  const std::vector<cl_platform_id> &all = passedPlatforms();
  if (count) *count = static_cast<cl_uint>(all.size());
  // "CL_PLATFORM_NOT_FOUND_KHR if zero platforms are available."
  if (all.empty()) return CL_PLATFORM_NOT_FOUND_KHR;
  if (platforms) std::copy_n(all.begin(), std::min<size_t>(entries, all.size()), platforms);
  return CL_SUCCESS;
}

cl_int passedPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                          size_t *sizeReturned) {
  // "CL_INVALID_PLATFORM if platform is not a valid platform."
  const std::vector<cl_platform_id> &all = passedPlatforms();
  if (std::ranges::find(all, platform) == all.end()) return CL_INVALID_PLATFORM;
  // "a pointer to the function pointer dispatch table" is what every object of a vendor's begins with.
  const cl_icd_dispatch &call = **reinterpret_cast<const cl_icd_dispatch *const *>(platform);
  return call.clGetPlatformInfo(platform, name, size, value, sizeReturned);
}

void *passedFunction(const char *name) {
  for (const platform::PassedDriver &driver : platform::passedDrivers())
    if (void *const found = driver.extension(name)) return found;
  return nullptr;
}

} // namespace us::opencl
