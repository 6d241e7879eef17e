// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a function and the shape of a launch to a command, for launches of the host and of kernels.
#pragma once

#include "icd/cuda/module.h"
#include "runtime/core/keep_list.h"

namespace us::cuda {

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned sharedBytes = 0;
  bool isCooperative = false;
  unsigned cluster[3] = {0, 0, 0}; ///< blocks; zeros: the launch says nothing of clusters
};

/// A launch with its parameters, which are given in one of two ways; its heap and what its kernel calls are not set.
/// CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CLUSTER_SIZE, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
/// CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE.
Expected<LaunchCommand> launchOf(const Function &function, const LaunchShape &shape, void **parameters, void **extra);
/// Sets heap and device runtime; what has to live as long as the launch.
core::KeepList completeLaunch(const Function &function, LaunchCommand &launch);

/// What a configuration says of the shape; attributes that are hints are taken.
Expected<LaunchShape> shapeOf(const CUlaunchConfig *config);
/// Everything but the parameters and the heap. CUDA_ERROR_INVALID_VALUE or CUDA_ERROR_INVALID_CLUSTER_SIZE for a shape
/// that the device cannot launch.
Expected<LaunchCommand> beginLaunch(const Function &function, const LaunchShape &shape);
/// Parameters in one piece, each at the next offset that its alignment allows. CUDA_ERROR_INVALID_VALUE if some are
/// missing.
Expected<void> putPacked(const Function &function, std::span<const std::byte> bytes, LaunchCommand &launch);

} // namespace us::cuda
