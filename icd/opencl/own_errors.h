// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error codes that only OpenCL has: used in this folder like the neutral ones, which they follow. They must come with a
// message of their own.
#pragma once

#include "runtime/base/error.h"

namespace us::opencl {

enum class OwnError : uint16_t {
#define US_CL_ERROR(neutral, code)
#define US_CL_OWN_ERROR(name, code) name,
#include "icd/opencl/errors.def"
#undef US_CL_ERROR
#undef US_CL_OWN_ERROR
};

inline constexpr uint16_t kFirstOwnError = 0x1000;
constexpr ErrorCode own(OwnError error) {
  return static_cast<ErrorCode>(kFirstOwnError + static_cast<uint16_t>(error));
}

} // namespace us::opencl
