// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/errors.h"

#include "runtime/base/native_error.h"

namespace us::forward {
namespace {

struct Row {
  cl_int code;
  ErrorCode neutral;
  const char *name;
};
constexpr Row kRows[] = {
#define US_DRIVER_ERROR(neutral, code) {code, ErrorCode::neutral, #code},
#include "runtime/forward/opencl/errors.def"
};

} // namespace

Error driverError(const std::string &call, cl_int code) {
  const std::string sentence = "the driver answers " + call + " with ";
  for (const Row &row : kRows)
    if (row.code == code) return {row.neutral, sentence + row.name + " (" + std::to_string(code) + ")"};
  return {nativeError(code), sentence + std::to_string(code)};
}

} // namespace us::forward
