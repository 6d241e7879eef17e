// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver under the runtime: libcuda.so.1 as the process finds it, and nothing of it but its exported
// functions.
#pragma once

#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "frontend/cuda/include/cuda_runtime_api.h"
#include "icd/cuda/include/cuda.h"

namespace us::cudart {

/// The driver's functions, by their symbols. (In the header a symbol without a version is the first one of its name.)
struct Driver {
#define US_DRIVER(SYMBOL) decltype(&::SYMBOL) SYMBOL;
#include "icd/cudart/driver_functions.def"
};

/// Opens and initialises the driver at the first call. Not cudaSuccess: why there is none, at every call the same.
cudaError_t startDriver();

/// Only after startDriver() has succeeded.
const Driver &driver();

/// The runtime's number of a driver's result: since CUDA 10.1 they are the same numbers.
inline cudaError_t errorOf(CUresult result) { return static_cast<cudaError_t>(result); }

#define US_RETURN_IF_ERROR(...)                                                                                        \
  do {                                                                                                                 \
    if (const cudaError_t error_ = (__VA_ARGS__); error_ != cudaSuccess) return error_;                                \
  } while (false)

} // namespace us::cudart
