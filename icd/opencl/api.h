// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the entry guard asks of this API: codes, names of codes, and who is told of failures.
#pragma once

#include "icd/opencl/cl.h"
#include "runtime/base/error.h"

#include <string_view>
#include <utility>

namespace us::opencl {

class ClContext;

// What every call writes: the model that needs no call to find them, for which every process keeps some room.
#define US_CALL_LOCAL extern thread_local constinit __attribute__((tls_model("initial-exec")))
namespace detail {
// A plain pointer to a slot that is never unmapped; looked at again before use.
US_CALL_LOCAL cl_context contextOfCall;
US_CALL_LOCAL cl_int codeBesideResult;
US_CALL_LOCAL const char *nameOfCall;
// Only where mistakes are looked for.
US_CALL_LOCAL const void *invalidHandleOfCall;
US_CALL_LOCAL const char *wantedByCall;
} // namespace detail
#undef US_CALL_LOCAL

/// The OpenCL code of a neutral error.
cl_int codeOf(ErrorCode code);
/// The name of an OpenCL code ("CL_INVALID_VALUE"), or "?".
const char *codeName(cl_int code);

/// The traits of icd::guarded and icd::EntryPoint.
struct Api {
  using Code = cl_int;
  static constexpr Code kSuccess = CL_SUCCESS;
  static void begin(const char *function) {
    detail::contextOfCall = nullptr;
    detail::nameOfCall = function;
    detail::wantedByCall = nullptr;
  }
  static void failed(const char *function, const Error &error);
  static bool isRelease(const char *function) { return std::string_view(function).starts_with("clRelease"); }
  /// A call that is not answered any more, and its first parameter.
  static void calledLate(const char *function, uint64_t first);
  static Code code(const Error &error) { return codeOf(error.code); }
  /// The code of a call that has a result: kSuccess, or what failWithResult said.
  static Code codeOfResult() { return std::exchange(detail::codeBesideResult, CL_SUCCESS); }
  static const char *codeName(Code code) { return opencl::codeName(code); }
};

/// Notes the context that the call in progress works in: its callback is told if the call fails.
void noteContext(ClContext &context);
/// Null: none was noted. It may be gone.
cl_context contextOfCallInProgress();

/// The function that the program has called on this thread.
const char *callInProgress();

/// What is known of the call in progress stays what it is, though the program calls again from within.
class CallKept {
public:
  CallKept();
  ~CallKept();

private:
  const cl_context context_;
  const char *const name_, *const wanted_;
  const void *const invalidHandle_;
};

/// For clLinkProgram alone: the call returns its result and this failure.
void failWithResult(const Error &error);

} // namespace us::opencl
