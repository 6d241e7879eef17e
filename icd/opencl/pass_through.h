// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNDERSTUDY_PASS_THROUGH: the loader is given the platforms of the drivers, unchanged, and none of ours. What the
// loader asks this library for goes on to the driver.
#pragma once

#include "icd/opencl/cl.h"

#include <cstddef>

namespace us::opencl {

/// The switch; constant for the process's life.
bool passesThrough();

// As the functions of that name, for the drivers' platforms. Only while the switch is on.
cl_int passedPlatformIds(cl_uint entries, cl_platform_id *platforms, cl_uint *count);
cl_int passedPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                          size_t *sizeReturned);
/// A driver's function; null for those of this library.
void *passedFunction(const char *name);

} // namespace us::opencl
