// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of cuMemCreate.
#pragma once

#include "icd/cuda/api.h"

namespace us::cuda {

/// Bytes of a device that it takes.
uint64_t virtualMemoryOf(CUdevice device);

} // namespace us::cuda
