// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetProcAddress over a real driver. The driver knows which form of a function a name, a version and flags mean; what
// it answers is one of its exports, and the program is given ours of the same name. Otherwise it would leave us: the
// first function that NVIDIA's runtime asks for is cuGetProcAddress itself. What the table does not have is passed on.
#include "icd/cuda/forward/lookup.h"

#include "icd/cuda/forward/real_driver.h"

namespace us::cuda {

CUresult forwardedGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags) {
  const CUresult result = US_REAL(cuGetProcAddress)(symbol, function, version, flags);
  if (result == CUDA_SUCCESS && function && *function) *function = ownAddressOf(*function, symbol);
  return result;
}

CUresult forwardedGetProcAddressWithStatus(const char *symbol, void **function, int version, cuuint64_t flags,
                                           CUdriverProcAddressQueryResult *status) {
  const CUresult result = US_REAL(cuGetProcAddress_v2)(symbol, function, version, flags, status);
  if (result == CUDA_SUCCESS && function && *function) *function = ownAddressOf(*function, symbol);
  return result;
}

} // namespace us::cuda
