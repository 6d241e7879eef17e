// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error handling.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {
namespace {

struct ErrorRow {
  cudaError_t error;
  const char *name, *sentence;
};
constexpr ErrorRow kErrors[] = {
#define US_RT_ERROR(NAME, SENTENCE) {NAME, #NAME, SENTENCE},
#include "icd/cudart/errors.def"
};

const ErrorRow *rowOf(cudaError_t error) {
  for (const ErrorRow &row : kErrors)
    if (row.error == error) return &row;
  return nullptr;
}

} // namespace

cudaError_t peekAtLastError() { return lastError(); }

cudaError_t getLastError() {
  const cudaError_t error = lastError();
  // "resets it to cudaSuccess"
  forgetLastError();
  return error;
}

} // namespace us::cudart

extern "C" __attribute__((visibility("default"))) const char *cudaGetErrorName(cudaError_t error) {
  const us::cudart::ErrorRow *row = us::cudart::rowOf(error);
  // "If the error code is not recognized, "unrecognized error code" is returned."
  return row ? row->name : "unrecognized error code";
}

extern "C" __attribute__((visibility("default"))) const char *cudaGetErrorString(cudaError_t error) {
  const us::cudart::ErrorRow *row = us::cudart::rowOf(error);
  return row ? row->sentence : "unrecognized error code";
}
