// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Version management, the driver's functions by name, and the profiler's switches.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {

cudaError_t driverGetVersion(int *version) {
  if (!version) return cudaErrorInvalidValue;
  // "If no driver is installed, then 0 is returned as the driver version."
  *version = 0;
  if (startDriver() == cudaErrorInsufficientDriver) return cudaSuccess;
  return errorOf(driver().cuDriverGetVersion(version));
}

cudaError_t runtimeGetVersion(int *version) {
  if (!version) return cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t getDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                         unsigned long long flags, cudaDriverEntryPointQueryResult *status) {
  if (!symbol || !function) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(startDriver());
  if (flags == cudaEnableDefault && hasOwnDefaultStream()) flags = cudaEnablePerThreadDefaultStream;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
  const CUresult result = driver().cuGetProcAddress_v2(symbol, function, static_cast<int>(version), flags, &found);
  if (status) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
  // What is not found is told by the status, if anybody asks for it.
  return result == CUDA_ERROR_NOT_FOUND && status ? cudaSuccess : errorOf(result);
}

cudaError_t getDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                cudaDriverEntryPointQueryResult *status) {
  return getDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

cudaError_t profilerStart() {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuProfilerStart());
}

cudaError_t profilerStop() {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuProfilerStop());
}

} // namespace us::cudart
