// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event management.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {

cudaError_t eventCreate(cudaEvent_t *event) { return eventCreateWithFlags(event, cudaEventDefault); }

cudaError_t eventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  if (!event) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuEventCreate(event, flags));
}

cudaError_t eventRecord(cudaEvent_t event, cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuEventRecord(event, streamOf(stream)));
}

cudaError_t eventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuEventRecordWithFlags(event, streamOf(stream), flags));
}

cudaError_t eventQuery(cudaEvent_t event) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuEventQuery(event));
}

cudaError_t eventSynchronize(cudaEvent_t event) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuEventSynchronize(event));
}

cudaError_t eventDestroy(cudaEvent_t event) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuEventDestroy_v2(event));
}

cudaError_t eventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (!milliseconds) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuEventElapsedTime(milliseconds, begin, end));
}

} // namespace us::cudart
