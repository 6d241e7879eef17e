// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that the application names.
#pragma once

#include "icd/cuda/api.h"

#include <string>

namespace us::cuda {

/// The whole of it. CUDA_ERROR_INVALID_VALUE for no name, CUDA_ERROR_FILE_NOT_FOUND.
Expected<std::string> readFile(const char *path);

} // namespace us::cuda
