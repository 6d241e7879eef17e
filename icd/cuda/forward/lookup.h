// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands for cuGetProcAddress where a real driver answers.
#pragma once

#include "icd/cuda/api.h"

namespace us::cuda {

CUresult forwardedGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags);
CUresult forwardedGetProcAddressWithStatus(const char *symbol, void **function, int version, cuuint64_t flags,
                                           CUdriverProcAddressQueryResult *status);

} // namespace us::cuda
