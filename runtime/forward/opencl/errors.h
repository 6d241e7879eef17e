// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver's codes as errors: the same code goes on to the application, with a sentence that names the driver's call.
#pragma once

#include "runtime/base/expected.h"

#include <CL/cl.h>

#include <string>

namespace us::forward {

/// "the driver answers clBuildProgram with CL_OUT_OF_RESOURCES (-5)"
Error driverError(const std::string &call, cl_int code);

inline Expected<void> driverResult(const char *call, cl_int code) {
  if (code == CL_SUCCESS) return {};
  return std::unexpected(driverError(call, code));
}

} // namespace us::forward
