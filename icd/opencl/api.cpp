// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error codes of this API, and the context callback that hears of failing calls.
#include "icd/opencl/api.h"

#include "icd/opencl/context.h"
#include "icd/opencl/own_errors.h"
#include "runtime/base/log.h"
#include "runtime/base/native_error.h"

namespace us::opencl {
namespace {

struct Row {
  ErrorCode neutral;
  cl_int code;
  const char *name;
};
constexpr Row kErrorRows[] = {
#define US_CL_ERROR(neutral, code) {ErrorCode::neutral, code, #code},
#define US_CL_OWN_ERROR(name, code)
#include "icd/opencl/errors.def"
#undef US_CL_ERROR
#undef US_CL_OWN_ERROR
};
constexpr Row kOwnRows[] = {
#define US_CL_ERROR(neutral, code)
#define US_CL_OWN_ERROR(name, code) {own(OwnError::name), code, #code},
#include "icd/opencl/errors.def"
#undef US_CL_ERROR
#undef US_CL_OWN_ERROR
};

// The table is indexed by the neutral code: same rows, same order.
constexpr ErrorCode kAll[] = {
#define US_ERROR(name, sentence) ErrorCode::name,
#include "runtime/base/error_codes.def"
#undef US_ERROR
};
constexpr bool sameOrder() {
  if (std::size(kErrorRows) != std::size(kAll)) return false;
  for (size_t i = 0; i < std::size(kErrorRows); ++i)
    if (kErrorRows[i].neutral != kAll[i]) return false;
  return true;
}
static_assert(sameOrder());

} // namespace

namespace detail {
thread_local constinit cl_context contextOfCall = nullptr;
thread_local constinit cl_int codeBesideResult = CL_SUCCESS;
thread_local constinit const char *nameOfCall = "";
thread_local constinit const void *invalidHandleOfCall = nullptr;
thread_local constinit const char *wantedByCall = nullptr;
} // namespace detail
using namespace detail;

cl_int codeOf(ErrorCode code) {
  const auto number = static_cast<size_t>(code);
  // A driver's own: the device is a real one.
  if (const std::optional<int32_t> native = nativeCodeOf(code)) return *native;
  return number < kFirstOwnError ? kErrorRows[number].code : kOwnRows[number - kFirstOwnError].code;
}

const char *codeName(cl_int code) {
  if (code == CL_SUCCESS) return "CL_SUCCESS";
  if (code == CL_PLATFORM_NOT_FOUND_KHR) return "CL_PLATFORM_NOT_FOUND_KHR";
  for (const Row &row : kErrorRows)
    if (row.code == code) return row.name;
  for (const Row &row : kOwnRows)
    if (row.code == code) return row.name;
  return "?";
}

const char *callInProgress() { return nameOfCall; }

CallKept::CallKept()
    : context_(contextOfCall), name_(nameOfCall), wanted_(wantedByCall), invalidHandle_(invalidHandleOfCall) {}
CallKept::~CallKept() {
  contextOfCall = context_;
  nameOfCall = name_;
  wantedByCall = wanted_;
  invalidHandleOfCall = invalidHandle_;
}

void noteInvalidHandle(const void *handle, const char *wanted) {
  invalidHandleOfCall = handle;
  wantedByCall = wanted;
}

void Api::calledLate(const char *function, uint64_t first) {
  if (ApiChecks *const checks = apiChecks()) checks->calledLate(function, reinterpret_cast<const void *>(first));
}

void failWithResult(const Error &error) {
  codeBesideResult = codeOf(error.code);
  Api::failed("clLinkProgram", error);
}

void noteContext(ClContext &context) { contextOfCall = context.handle(); }
cl_context contextOfCallInProgress() { return contextOfCall; }

void Api::failed(const char *function, const Error &error) {
  if (logs(LogLevel::Info))
    log(LogLevel::Info, icd::format("{}: {}: {}", function, codeName(codeOf(error.code)), error.message));
  if (ApiChecks *const checks = apiChecks())
    if (const char *const wanted = std::exchange(wantedByCall, nullptr))
      checks->failedCall(function, invalidHandleOfCall, wanted);
  const cl_context handle = std::exchange(contextOfCall, nullptr);
  if (!isHandleOf<ClContext>(handle)) return;
  auto context = fromHandle<ClContext>(handle);
  if (!context || !context->get().hasErrorCallback()) return;
  context->get().report(icd::format("{}: {}: {}", function, codeName(codeOf(error.code)), error.message));
}

} // namespace us::opencl
