// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a function and the shape of a launch to a command, for launches of the host and of kernels.
#pragma once

#include "icd/cuda/module.h"

namespace us::cuda {

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned sharedBytes = 0;
  bool isCooperative = false;
};

/// Everything but the parameters and the heap. CUDA_ERROR_INVALID_VALUE for a shape that the device cannot launch.
Expected<LaunchCommand> beginLaunch(const Function &function, const LaunchShape &shape);
/// Parameters in one piece, each at the next offset that its alignment allows. CUDA_ERROR_INVALID_VALUE if some are
/// missing.
Expected<void> putPacked(const Function &function, std::span<const std::byte> bytes, LaunchCommand &launch);

} // namespace us::cuda
