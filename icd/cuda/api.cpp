// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/api.h"

#include "icd/common/runtime_life.h"
#include "icd/cuda/api_checks.h"
#include "runtime/base/fork_guard.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace us::cuda {
namespace {

struct ErrorRow {
  ErrorCode neutral;
  CUresult result;
};
constexpr ErrorRow kErrors[] = {
#define US_CU_ERROR(neutral, result) {ErrorCode::neutral, result},
#include "icd/cuda/errors.def"
#undef US_CU_ERROR
};

struct ResultRow {
  CUresult result;
  const char *name, *sentence;
};
constexpr ResultRow kResults[] = {
#define US_CU_RESULT(name, sentence) {name, #name, sentence},
#include "icd/cuda/results.def"
#undef US_CU_RESULT
};

const ResultRow *find(CUresult result) {
  for (const ResultRow &row : kResults)
    if (row.result == result) return &row;
  return nullptr;
}

thread_local constinit bool perThread = false;

} // namespace

CUresult resultOf(const Error &error) {
  // A forked child has an empty runtime; a process that ends has none any more.
  if (icd::runtimeIsGone()) return inForkedChild() ? CUDA_ERROR_NOT_INITIALIZED : CUDA_ERROR_DEINITIALIZED;
  const auto number = static_cast<uint16_t>(error.code);
  if (number >= kFirstOwnError) return static_cast<CUresult>(number - kFirstOwnError);
  for (const ErrorRow &row : kErrors)
    if (row.neutral == error.code) return row.result;
  return CUDA_ERROR_UNKNOWN;
}

const char *resultName(CUresult result) {
  const ResultRow *row = find(result);
  return row ? row->name : nullptr;
}

const char *resultSentence(CUresult result) {
  const ResultRow *row = find(result);
  return row ? row->sentence : nullptr;
}

const char *Api::codeName(Code code) {
  const char *name = resultName(code);
  return name ? name : "?";
}

void Api::begin(const char *function) {
  if (apiChecks()) [[unlikely]]
    ApiChecks::noteCall(function);
}

void Api::calledLate(const char *function, uint64_t first) {
  if (ApiChecks *const checks = apiChecks()) checks->calledLate(function, first);
}

bool Api::needsNoRuntime(const char *function) {
  constexpr std::string_view kThese[] = {"cuGetErrorName", "cuGetErrorString", "cuDriverGetVersion"};
  return std::find(std::begin(kThese), std::end(kThese), std::string_view(function)) != std::end(kThese);
}

void Api::failed(const char *function, const Error &error) {
  if (logs(LogLevel::Info)) log(LogLevel::Info, format("{}: {}: {}", function, codeName(code(error)), error.message));
}

bool perThreadDefault() { return perThread; }
PerThreadScope::PerThreadScope() { perThread = true; }
PerThreadScope::~PerThreadScope() { perThread = false; }

} // namespace us::cuda
