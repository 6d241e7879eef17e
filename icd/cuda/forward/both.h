// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What answers where emulated and real devices are listed together and no single side can: functions that concern both,
// give numbers of devices, or change which context is current. Their C symbols are in routes.def.
#pragma once

#include "icd/cuda/api.h"
#include "icd/cuda/forward/lookup.h"

namespace us::cuda::both {

using cuda::forwardedGetProcAddress;
using cuda::forwardedGetProcAddressWithStatus;

// both_devices.cpp
CUresult init(unsigned flags);
CUresult driverGetVersion(int *version);
CUresult getExportTable(const void **table, const CUuuid *id);
CUresult deviceGet(CUdevice *device, int ordinal);
CUresult deviceGetCount(int *count);
CUresult deviceGetByPCIBusId(CUdevice *device, const char *id);
CUresult deviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
CUresult deviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to);
CUresult streamGetDevice(CUstream stream, CUdevice *device);
CUresult pointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer);
CUresult pointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr pointer);

// both_contexts.cpp
CUresult ctxCreateOld(CUcontext *context, unsigned flags, CUdevice device);
CUresult ctxCreate(CUcontext *context, unsigned flags, CUdevice device);
CUresult ctxCreateWithAffinity(CUcontext *context, CUexecAffinityParam *parameters, int count, unsigned flags,
                               CUdevice device);
CUresult ctxCreateWithParameters(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device);
CUresult ctxDestroy(CUcontext context);
CUresult ctxDetach(CUcontext context);
CUresult ctxPushCurrent(CUcontext context);
CUresult ctxPopCurrent(CUcontext *context);
CUresult ctxSetCurrent(CUcontext context);
CUresult ctxGetDevice(CUdevice *device);
CUresult ctxGetDeviceOf(CUdevice *device, CUcontext context);
CUresult ctxEnablePeerAccess(CUcontext context, unsigned flags);
CUresult ctxDisablePeerAccess(CUcontext context);

// both_copies.cpp: between memory of an emulated and of a real device. They are complete when they return.
CUresult splitCopy(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult splitCopyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream);
CUresult splitCopyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t size);
CUresult splitCopyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t size,
                            CUstream stream);
CUresult splitCopy2D(const CUDA_MEMCPY2D *copy);
CUresult splitCopy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream);
CUresult splitCopy3D(const CUDA_MEMCPY3D *copy);
CUresult splitCopy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream);
CUresult splitCopy3DPeer(const CUDA_MEMCPY3D_PEER *copy);
CUresult splitCopy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream);

// both_events.cpp
CUresult splitStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);

} // namespace us::cuda::both
