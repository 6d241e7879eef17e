// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer device memory access, and memory and events of other processes.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

#include <cstring>

namespace us::cudart {

cudaError_t deviceCanAccessPeer(int *can, int device, int peer) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceCanAccessPeer(can, device, peer));
}

cudaError_t deviceEnablePeerAccess(int peer, unsigned flags) {
  US_RETURN_IF_ERROR(useContext());
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(primaryContext(peer, &context));
  return errorOf(driver().cuCtxEnablePeerAccess(context, flags));
}

cudaError_t deviceDisablePeerAccess(int peer) {
  US_RETURN_IF_ERROR(useContext());
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(primaryContext(peer, &context));
  return errorOf(driver().cuCtxDisablePeerAccess(context));
}

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(CUipcMemHandle));
static_assert(sizeof(cudaIpcEventHandle_t) == sizeof(CUipcEventHandle));

cudaError_t ipcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(
      driver().cuIpcGetMemHandle(reinterpret_cast<CUipcMemHandle *>(handle), reinterpret_cast<CUdeviceptr>(pointer)));
}

cudaError_t ipcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  if (!pointer) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUipcMemHandle same;
  std::memcpy(&same, &handle, sizeof(same));
  return errorOf(driver().cuIpcOpenMemHandle_v2(reinterpret_cast<CUdeviceptr *>(pointer), same, flags));
}

cudaError_t ipcCloseMemHandle(void *pointer) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuIpcCloseMemHandle(reinterpret_cast<CUdeviceptr>(pointer)));
}

cudaError_t ipcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuIpcGetEventHandle(reinterpret_cast<CUipcEventHandle *>(handle), event));
}

cudaError_t ipcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  if (!event) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUipcEventHandle same;
  std::memcpy(&same, &handle, sizeof(same));
  return errorOf(driver().cuIpcOpenEventHandle(event, same));
}

} // namespace us::cudart
