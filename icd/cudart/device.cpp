// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device management.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {

cudaError_t deviceReset() { return resetDevice(); }

cudaError_t deviceSynchronize() {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxSynchronize());
}

// Limits, cache and bank configurations have the driver's numbers.
cudaError_t deviceSetLimit(cudaLimit limit, size_t value) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxSetLimit(static_cast<CUlimit>(limit), value));
}

cudaError_t deviceGetLimit(size_t *value, cudaLimit limit) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxGetLimit(value, static_cast<CUlimit>(limit)));
}

cudaError_t deviceGetCacheConfig(cudaFuncCache *config) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxGetCacheConfig(reinterpret_cast<CUfunc_cache *>(config)));
}

cudaError_t deviceSetCacheConfig(cudaFuncCache config) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxSetCacheConfig(static_cast<CUfunc_cache>(config)));
}

cudaError_t deviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxGetSharedMemConfig(reinterpret_cast<CUsharedconfig *>(config)));
}

cudaError_t deviceSetSharedMemConfig(cudaSharedMemConfig config) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(config)));
}

cudaError_t deviceGetStreamPriorityRange(int *least, int *greatest) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t deviceGetByPCIBusId(int *device, const char *id) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGetByPCIBusId(device, id));
}

cudaError_t deviceGetPCIBusId(char *id, int length, int device) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGetPCIBusId(id, length, device));
}

cudaError_t getDeviceCount(int *count) {
  if (!count) return cudaErrorInvalidValue;
  *count = 0;
  US_RETURN_IF_ERROR(startDriver());
  US_RETURN_IF_ERROR(errorOf(driver().cuDeviceGetCount(count)));
  // "If there is no such device then cudaGetDeviceCount() will return cudaErrorNoDevice."
  return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t deviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(attribute), device));
}

cudaError_t deviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int from, int to) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGetP2PAttribute(value, static_cast<CUdevice_P2PAttribute>(attribute), from, to));
}

cudaError_t setDevice(int device) { return makeDeviceCurrent(device); }

cudaError_t initDevice(int device, unsigned deviceFlags, unsigned flags) {
  // "cudaInitDeviceFlagsAreValid ... deviceFlags are applied to the requested device."
  if (flags & ~cudaInitDeviceFlagsAreValid) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(startDriver());
  int count = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuDeviceGetCount(&count)));
  if (device < 0 || device >= count) return cudaErrorInvalidDevice;
  if (flags & cudaInitDeviceFlagsAreValid)
    US_RETURN_IF_ERROR(errorOf(driver().cuDevicePrimaryCtxSetFlags_v2(device, deviceFlags)));
  // "the device ... will not be made current"
  CUcontext context = nullptr;
  return primaryContext(device, &context);
}

cudaError_t getDevice(int *device) {
  if (!device) return cudaErrorInvalidValue;
  return currentDevice(device);
}

cudaError_t setValidDevices(int *devices, int count) {
  int known = 0;
  US_RETURN_IF_ERROR(getDeviceCount(&known));
  // "Returns cudaErrorInvalidDevice if ... not valid device ordinals"; which one is taken stays the program's choice.
  if (count < 0 || count > known || (count > 0 && !devices)) return cudaErrorInvalidValue;
  for (int i = 0; i < count; ++i)
    if (devices[i] < 0 || devices[i] >= known) return cudaErrorInvalidDevice;
  return cudaSuccess;
}

cudaError_t setDeviceFlags(unsigned flags) {
  int device = 0;
  if (flags & ~cudaDeviceMask) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(currentDevice(&device));
  return errorOf(driver().cuDevicePrimaryCtxSetFlags_v2(device, flags));
}

cudaError_t getDeviceFlags(unsigned *flags) {
  if (!flags) return cudaErrorInvalidValue;
  int device = 0, active = 0;
  US_RETURN_IF_ERROR(currentDevice(&device));
  return errorOf(driver().cuDevicePrimaryCtxGetState(device, flags, &active));
}

} // namespace us::cudart
