// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an application hands over as a module: PTX text, or a container that holds it.
#pragma once

#include "icd/cuda/api.h"

#include <string>

namespace us::cuda {

/// The PTX of an image, which comes without a length. CUDA_ERROR_NO_BINARY_FOR_GPU for a container of machine code of
/// another maker's devices, CUDA_ERROR_INVALID_IMAGE for what is neither.
Expected<std::string> ptxOf(const void *image);

} // namespace us::cuda
