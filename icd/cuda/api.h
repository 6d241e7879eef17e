// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How errors travel in this API, and what the entry guard asks of it.
#pragma once

#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS // functions.def names every version
#include "icd/common/format.h"
#include "icd/cuda/include/cuda.h"
#include "runtime/base/expected.h"

#include <atomic>

namespace us::cuda {

using icd::format;

/// An error that only CUDA has: `return fail(CUDA_ERROR_NOT_FOUND, "no kernel 'f'")`.
inline constexpr uint16_t kFirstOwnError = 0x1000;
[[nodiscard]] inline std::unexpected<Error> fail(CUresult result, std::string message) {
  return us::fail(static_cast<ErrorCode>(kFirstOwnError + uint16_t(result)), std::move(message));
}
using us::fail;

/// The CUDA result of an error.
CUresult resultOf(const Error &error);
/// Name and sentence of a result; null if there is none of that number.
const char *resultName(CUresult result);
const char *resultSentence(CUresult result);

/// The traits of icd::EntryPoint.
struct Api {
  using Code = CUresult;
  static void begin(const char *function);
  /// A call that is not answered any more, and its first parameter.
  static void calledLate(const char *function, uint64_t first);
  static void failed(const char *function, const Error &error);
  static bool isRelease(const char *) { return false; }
  /// A forked child may ask what its errors mean.
  static bool needsNoRuntime(const char *function);
  static Code code(const Error &error) { return resultOf(error); }
  static Code codeOfResult() { return CUDA_SUCCESS; }
  static const char *codeName(Code code);
  /// cuProfilerStop ends what the trace records, cuProfilerStart goes on with it.
  static bool isTracePaused() { return tracePaused.load(std::memory_order_relaxed); }
  static inline std::atomic<bool> tracePaused{false};
};

/// "CUDA_ERROR_INVALID_VALUE" where a pointer that the call writes through is null.
template <class T> Expected<void> checkOut(T *pointer, const char *what) {
  if (!pointer) return fail(CUDA_ERROR_INVALID_VALUE, format("{} is null", what));
  return {};
}

/// True while the call in progress takes stream 0 for the calling thread's own stream.
bool perThreadDefault();
/// Calls a body so.
struct PerThreadScope {
  PerThreadScope();
  ~PerThreadScope();
};

/// CUDA_ERROR_NOT_INITIALIZED before cuInit.
Expected<void> checkInitialised();

} // namespace us::cuda
