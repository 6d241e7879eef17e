// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/both.h"
#include "icd/cuda/forward/current_side.h"
#include "icd/cuda/forward/listed_devices.h"
#include "icd/cuda/forward/owners.h"
#include "icd/cuda/forward/real_driver.h"

namespace us::cuda::both {
namespace {

CudaSide sideOf(CUcontext context) { return isOwnHandle(context) ? CudaSide::Emulated : CudaSide::Real; }

/// The real driver answers for a number that no device has.
CudaSide sideOf(CUdevice number) {
  const ListedDevice *const device = listedDevice(number);
  return device ? device->side : CudaSide::Real;
}

/// "The context is created with a usage count of 1 and the caller ... the context is made current": pushed.
CUresult pushed(CUresult result, CudaSide side) {
  if (result == CUDA_SUCCESS) pushSide(side);
  return result;
}

CUcontext currentOn(CudaSide side) {
  CUcontext context = nullptr;
  return US_ON(side, cuCtxGetCurrent)(&context) == CUDA_SUCCESS ? context : nullptr;
}

/// Calls what may destroy the context. "If ctx is current to the calling thread then ctx will also be popped from the
/// current thread's context stack": of the side's own, so from here too.
template <class Call> CUresult destroying(CUcontext context, Call call) {
  const CudaSide side = sideOf(context);
  const bool isUppermost = context && currentOn(side) == context;
  const CUresult result = call(side);
  if (result == CUDA_SUCCESS && isUppermost && currentOn(side) != context) dropSide(side);
  return result;
}

} // namespace

CUresult ctxCreateOld(CUcontext *context, unsigned flags, CUdevice device) {
  const CudaSide side = sideOf(device);
  return pushed(US_ON(side, cuCtxCreate)(context, flags, ownNumber(side, device)), side);
}
CUresult ctxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  const CudaSide side = sideOf(device);
  return pushed(US_ON(side, cuCtxCreate_v2)(context, flags, ownNumber(side, device)), side);
}
CUresult ctxCreateWithAffinity(CUcontext *context, CUexecAffinityParam *parameters, int count, unsigned flags,
                               CUdevice device) {
  const CudaSide side = sideOf(device);
  return pushed(US_ON(side, cuCtxCreate_v3)(context, parameters, count, flags, ownNumber(side, device)), side);
}
CUresult ctxCreateWithParameters(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device) {
  const CudaSide side = sideOf(device);
  return pushed(US_ON(side, cuCtxCreate_v4)(context, parameters, flags, ownNumber(side, device)), side);
}

CUresult ctxDestroy(CUcontext context) {
  return destroying(context, [&](CudaSide side) { return US_ON(side, cuCtxDestroy_v2)(context); });
}
CUresult ctxDetach(CUcontext context) {
  return destroying(context, [&](CudaSide side) { return US_ON(side, cuCtxDetach)(context); });
}

CUresult ctxPushCurrent(CUcontext context) {
  const CudaSide side = sideOf(context);
  return pushed(US_ON(side, cuCtxPushCurrent_v2)(context), side);
}

CUresult ctxPopCurrent(CUcontext *context) {
  const CUresult result = US_ON(currentSide(), cuCtxPopCurrent_v2)(context);
  if (result == CUDA_SUCCESS) popSide();
  return result;
}

CUresult ctxSetCurrent(CUcontext context) {
  const CudaSide before = currentSide(), side = sideOf(context);
  const bool hadOne = hasCurrentSide();
  if (!context) {
    // "If ctx is NULL then this will be equivalent to popping the top of the calling CPU thread's context stack (or a
    // no-op if the stack is empty)."
    const CUresult result = US_ON(before, cuCtxSetCurrent)(nullptr);
    if (result == CUDA_SUCCESS) popSide();
    return result;
  }
  // "this will replace the top of that stack with ctx"
  if (hadOne && before == side) return US_ON(side, cuCtxSetCurrent)(context);
  const CUresult result = US_ON(side, cuCtxPushCurrent_v2)(context);
  if (result != CUDA_SUCCESS) return result;
  if (hadOne) {
    CUcontext replaced = nullptr;
    US_ON(before, cuCtxPopCurrent_v2)(&replaced);
    popSide();
  }
  pushSide(side);
  return CUDA_SUCCESS;
}

CUresult ctxGetDevice(CUdevice *device) {
  const CudaSide side = currentSide();
  return withListedNumber(US_ON(side, cuCtxGetDevice)(device), side, device);
}

CUresult ctxGetDeviceOf(CUdevice *device, CUcontext context) {
  const CudaSide side = context ? sideOf(context) : currentSide();
  return withListedNumber(US_ON(side, cuCtxGetDevice_v2)(device, context), side, device);
}

// "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: peer access is not supported between the given devices"
CUresult ctxEnablePeerAccess(CUcontext context, unsigned flags) {
  const CudaSide side = currentSide();
  if (context && hasCurrentSide() && side != sideOf(context)) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  return US_ON(side, cuCtxEnablePeerAccess)(context, flags);
}

// "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED: a call tries to disable peer access which has not been enabled yet"
CUresult ctxDisablePeerAccess(CUcontext context) {
  const CudaSide side = currentSide();
  if (context && hasCurrentSide() && side != sideOf(context)) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  return US_ON(side, cuCtxDisablePeerAccess)(context);
}

} // namespace us::cuda::both
