// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream management.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {

cudaError_t streamCreate(cudaStream_t *stream) { return streamCreateWithFlags(stream, cudaStreamDefault); }

cudaError_t streamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  if (!stream) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamCreate(stream, flags));
}

cudaError_t streamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  if (!stream) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t streamDestroy(cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  // The default streams cannot be destroyed.
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return cudaErrorInvalidResourceHandle;
  return errorOf(driver().cuStreamDestroy_v2(stream));
}

cudaError_t streamSynchronize(cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamSynchronize(streamOf(stream)));
}

cudaError_t streamQuery(cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamQuery(streamOf(stream)));
}

cudaError_t streamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamWaitEvent(streamOf(stream), event, flags));
}

cudaError_t streamGetFlags(cudaStream_t stream, unsigned *flags) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamGetFlags(streamOf(stream), flags));
}

cudaError_t streamGetPriority(cudaStream_t stream, int *priority) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamGetPriority(streamOf(stream), priority));
}

cudaError_t streamGetId(cudaStream_t stream, unsigned long long *id) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamGetId(streamOf(stream), id));
}

cudaError_t streamGetDevice(cudaStream_t stream, int *device) {
  if (!device) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUcontext of = nullptr, before = nullptr;
  US_RETURN_IF_ERROR(errorOf(driver().cuStreamGetCtx(streamOf(stream), &of)));
  // Drivers of CUDA 12 tell the device of the current context only.
  US_RETURN_IF_ERROR(errorOf(driver().cuCtxGetCurrent(&before)));
  US_RETURN_IF_ERROR(errorOf(driver().cuCtxSetCurrent(of)));
  const cudaError_t error = errorOf(driver().cuCtxGetDevice(device));
  US_RETURN_IF_ERROR(errorOf(driver().cuCtxSetCurrent(before)));
  return error;
}

cudaError_t streamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamIsCapturing(streamOf(stream), reinterpret_cast<CUstreamCaptureStatus *>(status)));
}

// The attributes of streams and launches have the driver's numbers and layouts.
static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUlaunchAttributeValue));
static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));

cudaError_t streamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamGetAttribute(streamOf(stream), static_cast<CUstreamAttrID>(attribute),
                                               reinterpret_cast<CUstreamAttrValue *>(value)));
}

cudaError_t streamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                               const cudaLaunchAttributeValue *value) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamSetAttribute(streamOf(stream), static_cast<CUstreamAttrID>(attribute),
                                               reinterpret_cast<const CUstreamAttrValue *>(value)));
}

cudaError_t streamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuStreamCopyAttributes(streamOf(to), streamOf(from)));
}

cudaError_t streamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned flags) {
  US_RETURN_IF_ERROR(useContext());
  // The status has the same numbers in both APIs, and the same size.
  return errorOf(
      driver().cuStreamAddCallback(streamOf(stream), reinterpret_cast<CUstreamCallback>(callback), userData, flags));
}

cudaError_t launchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *userData) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuLaunchHostFunc(streamOf(stream), function, userData));
}

cudaError_t streamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length, unsigned flags) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(
      driver().cuStreamAttachMemAsync(streamOf(stream), reinterpret_cast<CUdeviceptr>(pointer), length, flags));
}

cudaError_t ctxResetPersistingL2Cache() {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxResetPersistingL2Cache());
}

} // namespace us::cudart
